import type { QueueRow } from '@settee/protocol/model/conversation';
import {
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { createStore } from '../../browser/createStore.ts';
import { type Clock, systemClock } from '../../net/clock.ts';
import { useSignedIn } from '../context.ts';

export type HoldHandlers = {
  onPointerMove(event: PointerEvent): void;
  onWheel(): void;
  onPointerLeave(): void;
};

type Held = { rows: readonly QueueRow[]; ids: readonly string[]; handlers: HoldHandlers };

/** The rows in the order they had when the pointer entered. `all` provides their current content. */
export function useHeldRows(toShow: readonly QueueRow[], all: readonly QueueRow[], list: string): Held {
  const [hold] = useState(() => orderHold(systemClock));
  const held = useSyncExternalStore(hold.subscribe, hold.get);
  const rows = useMemo(() => (held ? inHeldOrder(held, all, toShow) : toShow), [held, all, toShow]);
  const ids = useMemo(() => rows.map(({ conversationId }) => conversationId), [rows]);
  const { console } = useSignedIn();
  useEffect(() => console.onOwnAction(hold.acted), [console, hold]);
  // Typing or leaving the window releases the order.
  useEffect(() => {
    addEventListener('keydown', hold.release);
    addEventListener('blur', hold.release);
    return () => {
      removeEventListener('keydown', hold.release);
      removeEventListener('blur', hold.release);
    };
  }, [hold]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another order.
  useLayoutEffect(() => hold.release, [hold, list]);

  return {
    rows,
    ids,
    handlers: {
      onPointerMove({ pointerType }) {
        // Touch does not hover.
        if (pointerType !== 'touch') hold.moved(ids);
      },
      onWheel: () => hold.moved(ids),
      onPointerLeave: hold.release,
    },
  };
}

/** How long the order is held after the handler's own reply or close. */
export const HOLD_MS = 3_000;

/** Holds the list's order while the pointer is over it. Null while not held. */
type OrderHold = {
  get(): readonly string[] | null;
  subscribe(listener: () => void): () => void;
  /** The pointer moved over the list, which shows these ids. */
  moved(shown: readonly string[]): void;
  release(): void;
  /** The handler replied or closed a chat: hold the order for HOLD_MS at most. */
  acted(): void;
};

export function orderHold(clock: Clock): OrderHold {
  const held = createStore<readonly string[] | null>(null);
  let limit: unknown;

  function set(next: readonly string[] | null): void {
    if (next !== held.get()) held.set(next);
  }

  function release(): void {
    clock.clearTimeout(limit);
    limit = undefined;
    set(null);
  }

  return {
    get: held.get,
    subscribe: held.subscribe,
    moved(shown) {
      set(held.get() ?? shown);
    },
    release,
    acted() {
      if (held.get() !== null) limit ??= clock.setTimeout(release, HOLD_MS);
    },
  };
}

/** The rows in the held order with their current content. New rows come last; removed rows disappear. */
export function inHeldOrder<Row extends { conversationId: string }>(
  held: readonly string[],
  rows: readonly Row[],
  toShow: readonly Row[],
): Row[] {
  const byId = new Map(rows.map((row) => [row.conversationId, row]));
  const known = new Set(held);
  return [
    ...held.flatMap((id) => byId.get(id) ?? []),
    ...toShow.filter(({ conversationId }) => !known.has(conversationId)),
  ];
}
