import type { App } from '../platform/app.ts';
import { repeatEvery } from '../platform/limits/repeatEvery.ts';
import type { Bus } from '../platform/ports/ports.ts';
import type { Desks } from './desks.ts';
import { encodeHint, GLOBAL_SUBJECTS, subjectOf, VISITOR_LEASE_MS } from './hint.ts';
import type { Room } from './room.ts';
import type { Rooms } from './rooms.ts';

const TICK_MS = 5_000;
const TICKS_PER_REPORT = 3;
/** A reload must not count as leaving. */
const GRACE_MS = 5_000;
/** After a restart many desks ask at once. One pass over the rooms answers all of them. */
const ANSWER_MS = 100;
/** Used instead of a conversation's id. Every desk is subscribed to all subjects of its alias. */
const ALL = 'visitors';

/**
 * Reports to desks which of their visitors have a page open. Gateways report to each other over the bus. Nothing is
 * stored, so it costs neither database time nor message latency.
 */
export class Visitors {
  readonly #app: App;
  readonly #bus: Bus;
  readonly #gatewayId: string;
  readonly #rooms: Rooms;
  readonly #desks: Desks;
  readonly #asked = new Set<string>();
  /** Desks that got a report from this gateway. */
  readonly #reported = new Set<string>();
  #ticks = 0;
  readonly #loop: ReturnType<typeof repeatEvery>;
  #stopped = false;

  constructor(app: App, bus: Bus, gatewayId: string, { rooms, desks }: { rooms: Rooms; desks: Desks }) {
    this.#app = app;
    this.#bus = bus;
    this.#gatewayId = gatewayId;
    this.#rooms = rooms;
    this.#desks = desks;
    rooms.onVisitorChange = (room) => this.#changed(room);
    desks.onOpened = (alias) => {
      this.#answer(alias);
      bus.publish(GLOBAL_SUBJECTS.visitors, Buffer.from(alias));
    };
    bus.subscribe(GLOBAL_SUBJECTS.visitors, (_, payload) => this.#answer(Buffer.from(payload).toString()));
    this.#loop = repeatEvery(app.clock, TICK_MS, () => this.#tick());
  }

  /** Visitors who reconnect elsewhere are reported from there. */
  stop(): void {
    this.#stopped = true;
    void this.#loop.stop();
    for (const alias of this.#reported) this.#report(alias, []);
  }

  #tick(): void {
    this.#ticks += 1;
    if (this.#ticks % TICKS_PER_REPORT === 0) {
      for (const [alias, ids] of this.#present()) this.#report(alias, ids);
    }
    for (const alias of this.#desks.aliases()) {
      this.#desks.get(alias)?.visitors.expire(this.#app.clock.now());
    }
  }

  /** A visitor's socket entered or left the room, or the room moved to another desk. */
  #changed(room: Room): void {
    if (room.hasVisitor()) this.#publish(room, true);
    else this.#app.clock.after(GRACE_MS, () => this.#publishIfGone(room));
  }

  #publishIfGone(room: Room): void {
    const now = this.#rooms.get(room.conversationId);
    if (!this.#stopped && (now === undefined || !now.hasVisitor())) this.#publish(room, false);
  }

  #publish({ handlerAlias, conversationId }: Room, present: boolean): void {
    const visitors = this.#desks.get(handlerAlias)?.visitors;
    this.#reported.add(handlerAlias);
    if (present) visitors?.arrive(conversationId, this.#gatewayId, this.#until());
    else visitors?.leave(conversationId, this.#gatewayId);
    const hint = encodeHint({ kind: 'visitor', gatewayId: this.#gatewayId, present });
    this.#bus.publish(subjectOf(handlerAlias, conversationId), hint);
  }

  #answer(alias: string): void {
    this.#asked.add(alias);
    if (this.#asked.size > 1) return;
    this.#app.clock.after(ANSWER_MS, () => {
      const present = this.#present();
      for (const each of this.#asked) this.#report(each, present.get(each) ?? []);
      this.#asked.clear();
    });
  }

  #report(alias: string, ids: readonly string[]): void {
    this.#desks.get(alias)?.visitors.replace(this.#gatewayId, ids, this.#until());
    const hint = encodeHint({ kind: 'visitors', gatewayId: this.#gatewayId, conversationIds: ids });
    this.#bus.publish(subjectOf(alias, ALL), hint);
  }

  #until(): number {
    return this.#app.clock.now() + VISITOR_LEASE_MS;
  }

  #present(): Map<string, string[]> {
    const present = new Map<string, string[]>();
    for (const room of this.#rooms.all()) {
      if (!room.hasVisitor()) continue;
      const ids = present.get(room.handlerAlias);
      if (ids === undefined) present.set(room.handlerAlias, [room.conversationId]);
      else ids.push(room.conversationId);
    }
    return present;
  }
}
