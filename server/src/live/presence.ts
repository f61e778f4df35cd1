import type { App } from '../app.ts';
import { endPresence, holdPresence } from '../db/presence.ts';
import { reason } from '../log.ts';

/** A lease is renewed long before it ends; a gateway that dies is believed for this long at most. */
const LEASE_SECONDS = 45;
const RENEW_MS = 15_000;
/** A reload closes one socket and opens another: that is not leaving. */
const GRACE_MS = 5_000;

/**
 * Says which desks are staffed through this gateway, and stops saying so when it dies. Sockets of people who are away
 * are not counted.
 */
export class Presence {
  readonly #app: App;
  readonly #gatewayId: string;
  readonly #sockets = new Map<string, number>();
  /** One write after another, each of what is true by then: an older word must not land on a newer one. */
  #writing: Promise<void> = Promise.resolve();
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(app: App, gatewayId: string) {
    this.#app = app;
    this.#gatewayId = gatewayId;
    this.#schedule();
  }

  arrive(alias: string): void {
    const before = this.#count(alias, 1);
    if (before === 0) this.#settle(alias);
  }

  leave(alias: string): void {
    this.#count(alias, -1);
    this.#app.clock.after(GRACE_MS, () => this.#endUnlessStaffed(alias));
  }

  /** Somebody says that they are away: there is no coming back to wait for. */
  leaveAtOnce(alias: string): void {
    this.#count(alias, -1);
    this.#endUnlessStaffed(alias);
  }

  #count(alias: string, change: number): number {
    const before = this.#sockets.get(alias) ?? 0;
    this.#sockets.set(alias, before + change);
    return before;
  }

  #endUnlessStaffed(alias: string): void {
    if (!this.#stopped && this.#sockets.get(alias) === 0) this.#settle(alias);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    await this.#writing;
    const aliases = [...this.#sockets.keys()];
    if (aliases.length > 0) await endPresence(this.#app.db, this.#gatewayId, aliases).catch(() => {});
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#cancel = this.#app.clock.after(RENEW_MS, () => {
      this.#write(async () => {
        const aliases = [...this.#sockets].filter(([, count]) => count > 0).map(([alias]) => alias);
        if (aliases.length > 0) await this.#hold(aliases);
      });
      this.#schedule();
    });
  }

  #settle(alias: string): void {
    this.#write(async () => {
      if ((this.#sockets.get(alias) ?? 0) > 0) {
        await this.#hold([alias]);
      } else {
        this.#sockets.delete(alias);
        await endPresence(this.#app.db, this.#gatewayId, [alias]);
      }
      this.#app.announce.presenceChanged();
    });
  }

  #hold(aliases: string[]): Promise<void> {
    return holdPresence(this.#app.db, this.#gatewayId, aliases, LEASE_SECONDS);
  }

  #write(change: () => Promise<void>): void {
    this.#writing = this.#writing.then(change).catch((error: unknown) => {
      this.#app.log.warn({ reason: reason(error) }, 'presence not written');
    });
  }
}
