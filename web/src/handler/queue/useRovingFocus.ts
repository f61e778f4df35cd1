import {
  createContext,
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  use,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';

import { useToEnd } from './useToEnd.ts';

type Row = { conversationId: string };

export const rowAttribute = (id: string | undefined) => ({ 'data-row': id });

const linkOf = (list: HTMLElement | null, id: string) =>
  list?.querySelector<HTMLElement>(`[data-row="${id}"] :is(a, input)`);

type RovingFocus = {
  /** Rows that stay mounted: the focused one, its neighbours and the Tab stop. */
  kept: readonly number[];
  /** The row that Tab reaches. */
  tabId: string | undefined;
  handlers: {
    onFocus(event: FocusEvent): void;
    onBlur(event: FocusEvent): void;
    onKeyDown(event: KeyboardEvent): void;
  };
};

/** One Tab stop; arrows, Home and End move. If the focused row disappears, its neighbour gets the focus. */
export function useRovingFocus(
  list: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  openId: string | undefined,
  bringIntoView: (index: number) => void,
  more: (() => void) | undefined,
): RovingFocus {
  const [focused, setFocused] = useState<string | null>(null);
  /** A row to focus as soon as it is mounted. */
  const [wanted, setWanted] = useState<string | null>(null);
  const indexOf = (id: string | null | undefined) =>
    id == null ? -1 : rows.findIndex(({ conversationId }) => conversationId === id);
  const index = indexOf(focused);
  const wantedIndex = indexOf(wanted);
  const tabIndex = index >= 0 ? index : Math.max(0, indexOf(openId));
  const lastIndex = useRef(-1);
  const moveTo = (to: number) => {
    const row = rows[to];
    if (!row) return;
    bringIntoView(to);
    setWanted(row.conversationId);
  };
  const endFrom = useRef<string | null>(null);
  // Not if the focus has moved while the rows were loaded.
  const moveToEnd = useToEnd(more, () => endFrom.current === focused && moveTo(rows.length - 1));

  useLayoutEffect(() => {
    if (index >= 0) lastIndex.current = index;
    if (focused === null || index >= 0) return;
    const next = rows[Math.min(lastIndex.current, rows.length - 1)];
    setFocused(null);
    const elsewhere = document.activeElement !== document.body && document.activeElement !== null;
    if (next === undefined || elsewhere) return;
    linkOf(list.current, next.conversationId)?.focus();
  }, [focused, index, list, rows]);

  useLayoutEffect(() => {
    if (wanted === null) return;
    setWanted(null);
    linkOf(list.current, wanted)?.focus({ preventScroll: true });
  }, [wanted, list]);

  const kept = useMemo(
    () =>
      [...new Set([tabIndex, wantedIndex, index - 1, index, index + 1])]
        .filter((each) => each >= 0 && each < rows.length)
        .toSorted((a, b) => a - b),
    [index, wantedIndex, tabIndex, rows.length],
  );

  return {
    kept,
    tabId: rows[tabIndex]?.conversationId,
    handlers: {
      onFocus({ target, relatedTarget }) {
        const id = target.closest<HTMLElement>('[data-row]')?.dataset.row ?? null;
        setFocused(id);
        // The browser scrolls to an estimated position, which changes when rows are measured. Not for pointers,
        // and not when the window regains focus.
        if (id === null || relatedTarget === null || !target.matches(':focus-visible')) return;
        bringIntoView(rows.findIndex(({ conversationId }) => conversationId === id));
      },
      onBlur({ target, relatedTarget }) {
        if (list.current?.contains(relatedTarget)) return;
        // A row that is removed also loses the focus, but the user did not leave.
        queueMicrotask(() => {
          if (target.isConnected && document.activeElement !== target) setFocused(null);
        });
      },
      onKeyDown(event) {
        const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
        if (altKey || ctrlKey || metaKey || shiftKey) return;
        if (!(target instanceof Element) || !target.matches('[data-row] :is(a, input)')) return;
        const move = {
          ArrowDown: () => moveTo(Math.min(index + 1, rows.length - 1)),
          ArrowUp: () => moveTo(Math.max(index - 1, 0)),
          Home: () => moveTo(0),
          End() {
            endFrom.current = focused;
            moveToEnd();
          },
        }[key];
        if (move === undefined || index < 0) return;
        event.preventDefault();
        move();
      },
    },
  };
}

/** The row that Tab reaches. Arrow keys reach the others. */
export const RovingRow = createContext<string | undefined>(undefined);

export function useRowTabIndex(conversationId: string): 0 | -1 {
  return use(RovingRow) === conversationId ? 0 : -1;
}
