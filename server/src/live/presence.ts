import type { App } from '../app.ts';
import type { Database } from '../db/engine/database.ts';
import { reason } from '../log/log.ts';
import type { Announce } from '../ports.ts';

/** A lease is renewed long before it ends; a gateway that dies is believed for this long at most. */
const LEASE_SECONDS = 45;
const RENEW_MS = 15_000;
/** A reload closes one socket and opens another: that is not leaving. */
const GRACE_MS = 5_000;
/** Nor is a restart: whoever was sent elsewhere has this long to arrive there, and is there meanwhile. */
const ELSEWHERE_SECONDS = 10;

/** Where it is written who is there. */
export type PresenceBook = {
  hold(db: Database, gatewayId: string, who: string[], seconds: number): Promise<void>;
  end(db: Database, gatewayId: string, who: string[]): Promise<void>;
  changed(announce: Announce): void;
};

/**
 * Says who is there through this gateway, and stops saying so when it dies: desks, where sockets of people who are away
 * are not counted, or people.
 */
export class Presence {
  readonly #app: App;
  readonly #gatewayId: string;
  readonly #book: PresenceBook;
  readonly #sockets = new Map<string, number>();
  /** When those who left last are no longer waited for. */
  readonly #graceEnds = new Map<string, number>();
  /** Whoever was there when the gateway began to stop: they are told to go, which is not leaving. */
  readonly #onTheWay = new Set<string>();
  /** One write after another, each of what is true by then: an older word must not land on a newer one. */
  #writing: Promise<void> = Promise.resolve();
  #cancel: () => void = () => {};
  #stopping = false;
  #stopped = false;

  constructor(app: App, gatewayId: string, book: PresenceBook) {
    this.#app = app;
    this.#gatewayId = gatewayId;
    this.#book = book;
    this.#schedule();
  }

  arrive(who: string): void {
    const before = this.#count(who, 1);
    // A socket that was let in just before: it is told to go like the others.
    if (this.#stopping) this.#onTheWay.add(who);
    if (before === 0) this.#settle(who);
  }

  leave(who: string): void {
    this.#count(who, -1);
    this.#graceEnds.set(who, this.#app.clock.now() + GRACE_MS);
    this.#app.clock.after(GRACE_MS, () => this.#endUnlessThere(who));
  }

  /** Somebody says that they are away: there is no coming back to wait for. */
  leaveAtOnce(who: string): void {
    if (this.#count(who, -1) === 1) this.#onTheWay.delete(who);
    this.#endUnlessThere(who);
  }

  /** Before the first socket is told to go: from here on, whoever goes is on the way to another gateway. */
  beginStop(): void {
    this.#stopping = true;
    for (const [who, count] of this.#sockets) if (count > 0) this.#onTheWay.add(who);
  }

  #count(who: string, change: number): number {
    const before = this.#sockets.get(who) ?? 0;
    this.#sockets.set(who, before + change);
    return before;
  }

  #isThere(who: string): boolean {
    return (this.#sockets.get(who) ?? 0) > 0 || this.#onTheWay.has(who);
  }

  #endUnlessThere(who: string): void {
    if (!this.#stopped && this.#sockets.has(who) && !this.#isThere(who)) this.#settle(who);
  }

  /**
   * What was held ends by itself, soon: by then whoever is there holds it through another gateway. Who left before has
   * only the rest of the grace, which a reload may need.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#writing;
    await this.#leaveBehind([...this.#onTheWay], ELSEWHERE_SECONDS);
    for (const who of this.#sockets.keys()) {
      if (this.#isThere(who)) continue;
      const restMs = (this.#graceEnds.get(who) ?? 0) - this.#app.clock.now();
      await this.#leaveBehind([who], Math.max(0, restMs / 1_000));
    }
  }

  async #leaveBehind(who: string[], seconds: number): Promise<void> {
    if (who.length === 0) return;
    await this.#book.hold(this.#app.db, this.#gatewayId, who, seconds).catch(() => {});
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#cancel = this.#app.clock.after(RENEW_MS, () => {
      this.#write(async () => {
        const all = [...this.#sockets.keys()].filter((who) => this.#isThere(who));
        if (all.length > 0) await this.#hold(all);
      });
      this.#schedule();
    });
  }

  #settle(who: string): void {
    this.#write(async () => {
      if (this.#isThere(who)) {
        await this.#hold([who]);
      } else {
        this.#sockets.delete(who);
        this.#graceEnds.delete(who);
        await this.#book.end(this.#app.db, this.#gatewayId, [who]);
      }
      this.#book.changed(this.#app.announce);
    });
  }

  #hold(all: string[]): Promise<void> {
    return this.#book.hold(this.#app.db, this.#gatewayId, all, LEASE_SECONDS);
  }

  #write(change: () => Promise<void>): void {
    this.#writing = this.#writing.then(change).catch((error: unknown) => {
      this.#app.log.warn({ reason: reason(error) }, 'presence not written');
    });
  }
}
