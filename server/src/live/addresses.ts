import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { App } from '../platform/app.ts';
import { addressKey, trustedProxies } from '../platform/http/client.ts';
import { Bucket, type BucketSize, scaled } from '../platform/limits/bucket.ts';
import { socketBudgets, upgradeLimits } from '../platform/limits/table.ts';

const PRUNE_EVERY_MS = 60_000;

/** The sockets of one address, or of one IPv6 network. */
export type Address = {
  readonly key: string;
  open: number;
  withoutHello: number;
  readonly upgrades: Bucket;
  /** For the frames of its visitors, besides the budget of each socket. */
  readonly points: Bucket;
};

/** Limits sockets by address. An address is forgotten when it has no socket and its budgets are full again. */
export class Addresses {
  readonly #app: App;
  readonly #isTrusted: ReturnType<typeof trustedProxies>;
  readonly #addresses = new Map<string, Address>();
  readonly #factor: number;
  #prunedAt: number;

  constructor(app: App) {
    this.#app = app;
    this.#isTrusted = trustedProxies(app.config);
    this.#factor = app.config.limitFactor;
    this.#prunedAt = app.clock.now();
  }

  /** The address behind trusted proxies. */
  of(request: IncomingMessage): Address {
    this.#prune();
    const key = addressKey(proxyAddr(request, this.#isTrusted));
    let address = this.#addresses.get(key);
    if (address === undefined) {
      const { perMinute } = upgradeLimits;
      address = {
        key,
        open: 0,
        withoutHello: 0,
        upgrades: this.#bucket({ burst: perMinute, perSecond: perMinute / 60 }),
        points: this.#bucket(socketBudgets.address),
      };
      this.#addresses.set(key, address);
    }
    return address;
  }

  /** Counts an upgrade. False if the address has too many. */
  admit(address: Address): boolean {
    const { open, withoutHello } = upgradeLimits;
    return (
      address.open < open * this.#factor &&
      address.withoutHello < withoutHello * this.#factor &&
      address.upgrades.take()
    );
  }

  #bucket(size: BucketSize): Bucket {
    return new Bucket(this.#app.clock, scaled(size, this.#factor));
  }

  #prune(): void {
    const now = this.#app.clock.now();
    if (now - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    for (const [key, { open, upgrades, points }] of this.#addresses) {
      if (open === 0 && upgrades.level() === 1 && points.level() === 1) this.#addresses.delete(key);
    }
  }
}
