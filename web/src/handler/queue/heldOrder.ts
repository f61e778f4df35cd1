import type { Clock } from '../../net/clock.ts';

/** A hand that rests for this long is not about to press. */
export const HOLD_MS = 3_000;

/** The order that a pointer over the list holds; null while nothing does. */
export type OrderHold = {
  get(): readonly string[] | null;
  subscribe(listener: () => void): () => void;
  /** The pointer moved over the list, which shows these. */
  moved(shown: readonly string[]): void;
  release(): void;
  /** The handler replied or closed a chat: the order is held for HOLD_MS more at most, however the pointer moves. */
  acted(): void;
};

export function orderHold(clock: Clock): OrderHold {
  const listeners = new Set<() => void>();
  let held: readonly string[] | null = null;
  let rest: unknown;
  let limit: unknown;

  function set(next: readonly string[] | null): void {
    if (next === held) return;
    held = next;
    for (const listener of [...listeners]) listener();
  }

  function release(): void {
    clock.clearTimeout(rest);
    clock.clearTimeout(limit);
    limit = undefined;
    set(null);
  }

  return {
    get: () => held,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    moved(shown) {
      clock.clearTimeout(rest);
      rest = clock.setTimeout(release, HOLD_MS);
      set(held ?? shown);
    },
    release,
    acted() {
      if (held !== null) limit ??= clock.setTimeout(release, HOLD_MS);
    },
  };
}

/**
 * The rows in the held order, with what is new about each. What came since waits at the door; what left the queue is
 * gone, for it can no longer be opened.
 */
export function inHeldOrder<Row extends { conversationId: string }>(
  held: readonly string[],
  rows: readonly Row[],
): Row[] {
  const byId = new Map(rows.map((row) => [row.conversationId, row]));
  return held.flatMap((id) => byId.get(id) ?? []);
}
