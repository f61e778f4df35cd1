import type { App } from '../platform/app.ts';
import type { Database } from '../platform/db/database.ts';
import {
  endPresence,
  endStaffPresence,
  renewPresence,
  renewStaffPresence,
} from '../platform/db/presenceLeases.ts';
import { Limiter } from '../platform/limits/concurrency.ts';
import { repeatEvery } from '../platform/limits/repeatEvery.ts';
import { logFailure } from '../platform/log/log.ts';
import type { Announce } from '../platform/ports/ports.ts';

/** A lease is renewed long before it ends. The presence of a dead gateway ends after this time. */
const LEASE_SECONDS = 45;
const RENEW_MS = 15_000;
/** A reload must not count as leaving. */
const GRACE_MS = 5_000;
/** Neither must a restart: clients have this long to reconnect to another gateway. */
const RECONNECT_SECONDS = 10;

/** Stores leases of desks or of staff members, by id. */
export type PresenceStore = {
  hold(db: Database, gatewayId: string, ids: string[], seconds: number): Promise<void>;
  end(db: Database, gatewayId: string, ids: string[]): Promise<void>;
  changed(announce: Announce): void;
};

/** Desks with someone who is not away. Visitors see it. */
export const deskPresenceStore: PresenceStore = {
  hold: renewPresence,
  end: endPresence,
  changed: (announce) => announce.presenceChanged(),
};

/** Staff members with an open page, away or not. Only administrators see it. */
export const staffPresenceStore: PresenceStore = {
  hold: renewStaffPresence,
  end: endStaffPresence,
  changed: (announce) => announce.managementChanged('staff'),
};

/** Holds a lease for every desk, or every staff member, that has a socket at this gateway. */
export class Presence {
  readonly #app: App;
  readonly #gatewayId: string;
  readonly #store: PresenceStore;
  readonly #sockets = new Map<string, number>();
  /** When the grace period of those who left ends. */
  readonly #graceEnds = new Map<string, number>();
  /** Present when the gateway began to stop. They will reconnect elsewhere, so they have not left. */
  readonly #reconnecting = new Set<string>();
  /** One write after another, each with the state at that time: an older write must not replace a newer one. */
  readonly #writes = new Limiter(1);
  readonly #loop: ReturnType<typeof repeatEvery>;
  #stopping = false;
  #stopped = false;

  constructor(app: App, gatewayId: string, store: PresenceStore) {
    this.#app = app;
    this.#gatewayId = gatewayId;
    this.#store = store;
    this.#loop = repeatEvery(app.clock, RENEW_MS, () => this.#renewAll());
  }

  arrive(id: string): void {
    const before = this.#count(id, 1);
    // This socket was accepted just before the stop and will be closed like the others.
    if (this.#stopping) this.#reconnecting.add(id);
    if (before === 0) this.#update(id);
  }

  leave(id: string): void {
    this.#count(id, -1);
    this.#graceEnds.set(id, this.#app.clock.now() + GRACE_MS);
    this.#app.clock.after(GRACE_MS, () => this.#endUnlessPresent(id));
  }

  /** Without a grace period, for someone who set themselves away. */
  leaveNow(id: string): void {
    if (this.#count(id, -1) === 1) this.#reconnecting.delete(id);
    this.#endUnlessPresent(id);
  }

  /** Called before the sockets are closed: from now on, everyone who leaves is about to reconnect elsewhere. */
  beginStop(): void {
    this.#stopping = true;
    for (const [id, count] of this.#sockets) if (count > 0) this.#reconnecting.add(id);
  }

  #count(id: string, change: number): number {
    const before = this.#sockets.get(id) ?? 0;
    this.#sockets.set(id, before + change);
    return before;
  }

  #isPresent(id: string): boolean {
    return (this.#sockets.get(id) ?? 0) > 0 || this.#reconnecting.has(id);
  }

  #endUnlessPresent(id: string): void {
    if (!this.#stopped && this.#sockets.has(id) && !this.#isPresent(id)) this.#update(id);
  }

  /**
   * Shortens the leases: the clients hold new ones through another gateway soon. Those who left before keep the rest of
   * their grace period.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#loop.stop();
    await this.#writes.run(async () => {});
    await this.#shortenLease([...this.#reconnecting], RECONNECT_SECONDS);
    for (const id of this.#sockets.keys()) {
      if (this.#isPresent(id)) continue;
      const restMs = (this.#graceEnds.get(id) ?? 0) - this.#app.clock.now();
      await this.#shortenLease([id], Math.max(0, restMs / 1_000));
    }
  }

  async #shortenLease(ids: string[], seconds: number): Promise<void> {
    if (ids.length === 0) return;
    await this.#store.hold(this.#app.db, this.#gatewayId, ids, seconds).catch(() => {});
  }

  #renewAll(): void {
    this.#write(async () => {
      const all = [...this.#sockets.keys()].filter((id) => this.#isPresent(id));
      if (all.length > 0) await this.#hold(all);
    });
  }

  #update(id: string): void {
    this.#write(async () => {
      if (this.#isPresent(id)) {
        await this.#hold([id]);
      } else {
        this.#sockets.delete(id);
        this.#graceEnds.delete(id);
        await this.#store.end(this.#app.db, this.#gatewayId, [id]);
      }
      this.#store.changed(this.#app.announce);
    });
  }

  #hold(all: string[]): Promise<void> {
    return this.#store.hold(this.#app.db, this.#gatewayId, all, LEASE_SECONDS);
  }

  #write(change: () => Promise<void>): void {
    void logFailure(this.#app.log, 'presence not written', () => this.#writes.run(change));
  }
}
