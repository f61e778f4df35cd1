import { Topic } from '@settee/protocol/model/management';
import * as v from 'valibot';
import type { App } from '../platform/app.ts';
import { reason } from '../platform/log/log.ts';
import type { Bus } from '../platform/ports/ports.ts';
import { type Connection, encode } from './connection.ts';

const SUBJECT = 'cell.management';

/** Pages refetch what changed, which is expensive. So changes are collected. */
const FLUSH_MS = 500;

/** Notifies the admin pages at every gateway about changed topics. */
export class Management {
  readonly #app: App;
  readonly #bus: Bus;
  readonly #watchers = new Set<Connection>();
  readonly #touched = new Set<Topic>();

  constructor(app: App, bus: Bus) {
    this.#app = app;
    this.#bus = bus;
    bus.subscribe(SUBJECT, (_subject, payload) => {
      const topics = v.safeParse(v.array(Topic), Buffer.from(payload).toString().split(' '));
      if (topics.success) this.#send(topics.output);
    });
  }

  watch(connection: Connection): void {
    this.#watchers.add(connection);
  }

  leave(connection: Connection): void {
    this.#watchers.delete(connection);
  }

  /** Cheap enough for every message. */
  touch(...topics: Topic[]): void {
    if (this.#touched.size === 0) this.#app.clock.after(FLUSH_MS, () => this.#flush());
    for (const topic of topics) this.#touched.add(topic);
  }

  #flush(): void {
    const topics = [...this.#touched];
    this.#touched.clear();
    this.#send(topics);
    try {
      this.#bus.publish(SUBJECT, Buffer.from(topics.join(' ')));
    } catch (error) {
      this.#app.log.warn({ reason: reason(error) }, 'management not notified');
    }
  }

  #send(topics: Topic[]): void {
    if (this.#watchers.size === 0) return;
    const frame = encode({ type: 'managementChanged', topics });
    for (const connection of this.#watchers) connection.sendEncoded(frame);
  }
}
