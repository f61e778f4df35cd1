import type { QueueRow } from '@settee/protocol/model/conversation';
import {
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import { systemClock } from '../../net/clock.ts';
import { useSignedIn } from '../context.ts';
import { inHeldOrder, orderHold } from './heldOrder.ts';
import type { QueueFilter } from './queueFilter.ts';

export type HoldHandlers = {
  onPointerMove(event: PointerEvent): void;
  onWheel(): void;
  onPointerLeave(): void;
};

type Held = { rows: readonly QueueRow[]; ids: readonly string[]; handlers: HoldHandlers };

/** The rows in the order they had when the pointer entered. `all` provides their current content. */
export function useHeldRows(toShow: readonly QueueRow[], all: readonly QueueRow[], show: QueueFilter): Held {
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter has another order.
  useLayoutEffect(() => hold.release, [hold, show]);

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
