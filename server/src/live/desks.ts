import type { Message } from '@settee/protocol/model/message';
import type { StaffSettings } from '@settee/protocol/model/staffSettings';
import type { App } from '../platform/app.ts';
import { forEachConcurrently } from '../platform/limits/concurrency.ts';
import type { Bus } from '../platform/ports/ports.ts';
import type { Connection } from './connection.ts';
import { Desk } from './desk.ts';
import { decodeHint, subjectOf, VISITOR_LEASE_MS } from './hint.ts';

/** Queues that are read at once for one console. */
const READS = 4;

/** The queues that are watched at this gateway, by alias. */
export class Desks {
  /** Called when the first console of a desk connects here. */
  onOpened: (alias: string) => void = () => {};
  readonly #app: App;
  readonly #bus: Bus;
  readonly #desks = new Map<string, Desk>();
  readonly #watched = new Map<Connection, readonly Desk[]>();

  readonly #settings: (alias: string) => StaffSettings;

  constructor(app: App, bus: Bus, settings: (alias: string) => StaffSettings) {
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

  async watch(connection: Connection, aliases: readonly string[], paged: boolean): Promise<void> {
    if (!connection.isOpen()) return;
    const opened = aliases.filter((alias) => !this.#desks.has(alias));
    const desks = aliases.map((alias) => this.#desks.get(alias) ?? this.#add(alias));
    const before = this.watchedBy(connection);
    this.#watched.set(connection, desks);
    for (const desk of before) if (!desks.includes(desk)) this.#leave(connection, desk);
    await this.#bus.ready();
    for (const alias of opened) this.onOpened(alias);
    await forEachConcurrently(desks, READS, async (desk) => {
      // The socket may have closed meanwhile.
      if (this.#watched.get(connection) === desks)
        await desk.open(connection, { paged, desks: desks.length });
    });
  }

  #add(alias: string): Desk {
    const desk = new Desk(this.#app, alias, () => this.#settings(alias));
    this.#desks.set(alias, desk);
    this.#subscribe(desk);
    return desk;
  }

  /** Empty if this socket does not watch a queue. */
  watchedBy(connection: Connection): readonly Desk[] {
    return this.#watched.get(connection) ?? [];
  }

  recount(): void {
    for (const desk of this.#desks.values()) desk.recount();
  }

  leave(connection: Connection): void {
    const desks = this.watchedBy(connection);
    this.#watched.delete(connection);
    for (const desk of desks) this.#leave(connection, desk);
  }

  #leave(connection: Connection, desk: Desk): void {
    desk.connections.delete(connection);
    // Consoles that are just being added count, too.
    for (const watched of this.#watched.values()) if (watched.includes(desk)) return;
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
