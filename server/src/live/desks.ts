import type { Message } from '@settee/protocol/model/message';
import type { StaffSettings } from '@settee/protocol/model/staffSettings';
import type { App } from '../platform/app.ts';
import type { Bus } from '../platform/ports/ports.ts';
import type { Connection } from './connection.ts';
import { Desk } from './desk.ts';
import { decodeHint, subjectOf, VISITOR_LEASE_MS } from './hint.ts';

/** The queues that are watched at this gateway, by alias. */
export class Desks {
  /** Called when the first console of a desk connects here. */
  onOpened: (alias: string) => void = () => {};
  readonly #app: App;
  readonly #bus: Bus;
  readonly #desks = new Map<string, Desk>();
  readonly #watched = new Map<Connection, Desk>();

  readonly #settings: () => StaffSettings;

  constructor(app: App, bus: Bus, settings: () => StaffSettings) {
    this.#app = app;
    this.#bus = bus;
    this.#settings = settings;
  }

  get(alias: string): Desk | undefined {
    return this.#desks.get(alias);
  }

  aliases(): string[] {
    return [...this.#desks.keys()];
  }

  async watch(connection: Connection, alias: string, paged: boolean): Promise<void> {
    if (!connection.isOpen()) return;
    let desk = this.#desks.get(alias);
    const first = desk === undefined;
    if (desk === undefined) {
      desk = new Desk(this.#app, alias, this.#settings);
      this.#desks.set(alias, desk);
      this.#subscribe(desk);
    }
    this.#watched.set(connection, desk);
    await this.#bus.ready();
    if (first) this.onOpened(alias);
    // The socket may have closed meanwhile.
    if (this.#watched.get(connection) === desk) await desk.open(connection, paged);
  }

  /** Undefined if this socket does not watch a queue. */
  watchedBy(connection: Connection): Desk | undefined {
    return this.#watched.get(connection);
  }

  recount(): void {
    for (const desk of this.#desks.values()) desk.recount();
  }

  leave(connection: Connection): void {
    const desk = this.#watched.get(connection);
    if (desk === undefined) return;
    this.#watched.delete(connection);
    desk.connections.delete(connection);
    // Consoles that are just being added count, too.
    for (const watched of this.#watched.values()) if (watched === desk) return;
    this.#desks.delete(desk.alias);
    desk.subscription?.unsubscribe();
  }

  #subscribe(desk: Desk): void {
    desk.subscription = this.#bus.subscribe(subjectOf(desk.alias, '*'), (subject, payload) => {
      const hint = decodeHint(payload);
      const conversationId = subject.slice(subject.lastIndexOf('.') + 1);
      const until = this.#app.clock.now() + VISITOR_LEASE_MS;
      if (hint?.kind === 'message') {
        const { message } = JSON.parse(hint.frame.toString()) as { message: Message };
        desk.receive(message, hint.unread);
      } else if (hint?.kind === 'changed' || hint?.kind === 'row') {
        desk.reread(conversationId);
      } else if (hint?.kind === 'visitors') {
        desk.visitors.replace(hint.gatewayId, hint.conversationIds, until);
      } else if (hint?.kind === 'visitor') {
        if (hint.present) desk.visitors.arrive(conversationId, hint.gatewayId, until);
        else desk.visitors.leave(conversationId, hint.gatewayId);
      } else if (hint?.kind === 'colleague') {
        desk.sendActivity(conversationId, hint);
      }
    });
  }
}
