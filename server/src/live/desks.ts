import type { Message } from '@settee/protocol/message';
import type { App } from '../app.ts';
import type { Bus } from '../ports.ts';
import type { Connection } from './connection.ts';
import { Desk } from './desk.ts';
import { decodeHint, subjectOf } from './hint.ts';

/** The queues watched at this gateway, by alias. */
export class Desks {
  readonly #app: App;
  readonly #bus: Bus;
  readonly #desks = new Map<string, Desk>();
  readonly #watched = new Map<Connection, Desk>();

  constructor(app: App, bus: Bus) {
    this.#app = app;
    this.#bus = bus;
  }

  get(alias: string): Desk | undefined {
    return this.#desks.get(alias);
  }

  aliases(): string[] {
    return [...this.#desks.keys()];
  }

  async watch(connection: Connection, alias: string): Promise<void> {
    if (!connection.isOpen()) return;
    let desk = this.#desks.get(alias);
    if (desk === undefined) {
      desk = new Desk(this.#app, alias);
      this.#desks.set(alias, desk);
      this.#listen(desk);
    }
    this.#watched.set(connection, desk);
    await this.#bus.ready();
    // Who left meanwhile will not leave again.
    if (this.#watched.get(connection) === desk) await desk.open(connection);
  }

  leave(connection: Connection): void {
    const desk = this.#watched.get(connection);
    if (desk === undefined) return;
    this.#watched.delete(connection);
    desk.connections.delete(connection);
    // Also for those who are on their way in: they hold this desk already.
    for (const watched of this.#watched.values()) if (watched === desk) return;
    this.#desks.delete(desk.alias);
    desk.subscription?.end();
  }

  #listen(desk: Desk): void {
    desk.subscription = this.#bus.subscribe(subjectOf(desk.alias, '*'), (subject, payload) => {
      const hint = decodeHint(payload);
      if (hint?.kind === 'message') {
        const { message } = JSON.parse(hint.frame.toString()) as { message: Message };
        desk.hear(message, hint.unread);
      } else if (hint?.kind === 'changed' || hint?.kind === 'row') {
        desk.reread(subject.slice(subject.lastIndexOf('.') + 1));
      }
    });
  }
}
