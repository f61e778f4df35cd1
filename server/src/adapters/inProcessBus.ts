import type { Bus, Subscription } from '../ports.ts';

type Listener = { words: string[]; heard: (subject: string, payload: Uint8Array) => void; owner: object };

/**
 * The bus of a gateway that runs alone: every member of one `InProcessBus` hears the others.
 * Delivery is asynchronous, as over a wire, so that no caller comes to lean on it being immediate.
 */
export class InProcessBus {
  readonly #listeners = new Set<Listener>();

  connect(): Bus {
    const owner = {};
    const mine = new Set<Listener>();
    let open = true;
    return {
      subscribe: (pattern, heard): Subscription => {
        const listener = { words: pattern.split('.'), heard, owner };
        this.#listeners.add(listener);
        mine.add(listener);
        return {
          end: () => {
            this.#listeners.delete(listener);
            mine.delete(listener);
          },
        };
      },
      publish: (subject, payload) => {
        if (!open) return;
        // As over a wire: what the sender does with its bytes afterwards changes nothing.
        const sent = payload.slice();
        for (const listener of this.#listeners) {
          if (listener.owner === owner || !matches(listener.words, subject)) continue;
          setImmediate(() => {
            if (this.#listeners.has(listener)) listener.heard(subject, sent);
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
  const words = subject.split('.');
  return words.length === pattern.length && pattern.every((word, at) => word === '*' || word === words[at]);
}
