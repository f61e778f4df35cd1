import type { Bus, Subscription } from '../ports/ports.ts';

type Listener = { pattern: string[]; receive: (subject: string, payload: Uint8Array) => void; owner: object };

/**
 * The bus of a single gateway. In tests several gateways share one. Delivery is asynchronous, like over a network, so
 * that no caller relies on immediate delivery.
 */
export class InProcessBus {
  readonly #listeners = new Set<Listener>();

  connect(): Bus {
    const owner = {};
    const mine = new Set<Listener>();
    let open = true;
    return {
      subscribe: (pattern, receive): Subscription => {
        const listener = { pattern: pattern.split('.'), receive, owner };
        this.#listeners.add(listener);
        mine.add(listener);
        return {
          unsubscribe: () => {
            this.#listeners.delete(listener);
            mine.delete(listener);
          },
        };
      },
      publish: (subject, payload) => {
        if (!open) return;
        // A copy: the sender may change its bytes afterwards.
        const sent = payload.slice();
        for (const listener of this.#listeners) {
          if (listener.owner === owner || !matches(listener.pattern, subject)) continue;
          setImmediate(() => {
            if (this.#listeners.has(listener)) listener.receive(subject, sent);
          });
        }
      },
      ready: () => Promise.resolve(),
      onGap: () => {},
      isConnected: () => open,
      close: async () => {
        open = false;
        for (const listener of mine) this.#listeners.delete(listener);
      },
    };
  }
}

function matches(pattern: string[], subject: string): boolean {
  const parts = subject.split('.');
  return parts.length === pattern.length && pattern.every((part, at) => part === '*' || part === parts[at]);
}
