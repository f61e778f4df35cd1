/**
 * Which conversations' visitors have a page open, at one desk. Each gateway tells of its own sockets and repeats it; what
 * is not repeated ends, so that a gateway that died is not believed for longer than a lease.
 */
export class PresentVisitors {
  /** Conversation, gateway, and until when it is believed. */
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

  /** All who are there through this gateway. */
  replace(gatewayId: string, conversationIds: readonly string[], until: number): void {
    const there = new Set(conversationIds);
    for (const id of there) this.arrive(id, gatewayId, until);
    for (const [id, leases] of this.#leases) {
      if (leases.has(gatewayId) && !there.has(id)) this.leave(id, gatewayId);
    }
  }

  expire(now: number): void {
    for (const [id, leases] of this.#leases) {
      for (const [gatewayId, until] of leases) if (until < now) this.leave(id, gatewayId);
    }
  }
}
