import { Topic } from '@settee/protocol/model/management';
import * as v from 'valibot';
import type { App } from '../app.ts';
import { reason } from '../log/log.ts';
import type { Bus } from '../ports.ts';
import type { Connection } from './connection.ts';
import { encode } from './encode.ts';

const SUBJECT = 'cell.management';

/** A page reads again what changed, and reading costs more than telling: the changes go out together. */
const TELL_EVERY_MS = 500;

/** Tells administrators' pages, at every gateway, which of what they show is no longer as it was. */
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
      if (topics.success) this.#tell(topics.output);
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
    if (this.#touched.size === 0) this.#app.clock.after(TELL_EVERY_MS, () => this.#flush());
    for (const topic of topics) this.#touched.add(topic);
  }

  #flush(): void {
    const topics = [...this.#touched];
    this.#touched.clear();
    this.#tell(topics);
    try {
      this.#bus.publish(SUBJECT, Buffer.from(topics.join(' ')));
    } catch (error) {
      this.#app.log.warn({ reason: reason(error) }, 'management not told');
    }
  }

  #tell(topics: Topic[]): void {
    if (this.#watchers.size === 0) return;
    const frame = encode({ type: 'managementChanged', topics });
    for (const connection of this.#watchers) connection.tellEncoded(frame);
  }
}
