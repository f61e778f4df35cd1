/**
 * The conversations of one desk whose visitors have a page open. Each gateway reports its own sockets repeatedly. A
 * report expires with its lease, so that a dead gateway's visitors disappear.
 */
export class PresentVisitors {
  /** The end of the lease, by conversation and gateway. */
  readonly #leases = new Map<string, Map<string, number>>();
  readonly #changed: (conversationId: string) => void;

  constructor(changed: (conversationId: string) => void) {
    this.#changed = changed;
  }

  has(conversationId: string): boolean {
    return this.#leases.has(conversationId);
  }

  all(): string[] {
    return [...this.#leases.keys()];
  }

  arrive(conversationId: string, gatewayId: string, until: number): void {
    const leases = this.#leases.get(conversationId);
    if (leases !== undefined) {
      leases.set(gatewayId, until);
      return;
    }
    this.#leases.set(conversationId, new Map([[gatewayId, until]]));
    this.#changed(conversationId);
  }

  leave(conversationId: string, gatewayId: string): void {
    const leases = this.#leases.get(conversationId);
    if (!leases?.delete(gatewayId) || leases.size > 0) return;
    this.#leases.delete(conversationId);
    this.#changed(conversationId);
  }

  /** Replaces all visitors of this gateway. */
  replace(gatewayId: string, conversationIds: readonly string[], until: number): void {
    const present = new Set(conversationIds);
    for (const id of present) this.arrive(id, gatewayId, until);
    for (const [id, leases] of this.#leases) {
      if (leases.has(gatewayId) && !present.has(id)) this.leave(id, gatewayId);
    }
  }

  expire(now: number): void {
    for (const [id, leases] of this.#leases) {
      for (const [gatewayId, until] of leases) if (until < now) this.leave(id, gatewayId);
    }
  }
}
