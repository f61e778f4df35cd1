import type { App } from '../app.ts';
import { endPresence, holdPresence } from '../db/presence.ts';
import { reason } from '../log.ts';

/** A lease is renewed long before it ends; a gateway that dies is believed for this long at most. */
const LEASE_SECONDS = 45;
const RENEW_MS = 15_000;
/** A reload closes one socket and opens another: that is not leaving. */
const GRACE_MS = 5_000;

/** Says which desks are staffed through this gateway, and stops saying so when it dies. */
export class Presence {
  readonly #app: App;
  readonly #gatewayId: string;
  readonly #sockets = new Map<string, number>();
  #cancel: () => void = () => {};
  #stopped = false;

  constructor(app: App, gatewayId: string) {
    this.#app = app;
    this.#gatewayId = gatewayId;
    this.#schedule();
  }

  arrive(alias: string): void {
    const before = this.#sockets.get(alias) ?? 0;
    this.#sockets.set(alias, before + 1);
    if (before === 0) this.#write(() => holdPresence(this.#app.db, this.#gatewayId, [alias], LEASE_SECONDS));
  }

  leave(alias: string): void {
    this.#sockets.set(alias, (this.#sockets.get(alias) ?? 1) - 1);
    this.#app.clock.after(GRACE_MS, () => {
      if (this.#stopped || (this.#sockets.get(alias) ?? 0) > 0) return;
      this.#sockets.delete(alias);
      this.#write(() => endPresence(this.#app.db, this.#gatewayId, [alias]));
    });
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    const aliases = [...this.#sockets.keys()];
    if (aliases.length > 0) await endPresence(this.#app.db, this.#gatewayId, aliases).catch(() => {});
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#cancel = this.#app.clock.after(RENEW_MS, () => {
      const aliases = [...this.#sockets].filter(([, count]) => count > 0).map(([alias]) => alias);
      if (aliases.length > 0) {
        holdPresence(this.#app.db, this.#gatewayId, aliases, LEASE_SECONDS).catch(this.#failed);
      }
      this.#schedule();
    });
  }

  #write(change: () => Promise<void>): void {
    change().then(() => this.#app.announce.presenceChanged(), this.#failed);
  }

  readonly #failed = (error: unknown): void => {
    this.#app.log.warn({ reason: reason(error) }, 'presence not written');
  };
}
