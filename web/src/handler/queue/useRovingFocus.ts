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

type Row = { conversationId: string };

/** As a row's element carries its id. */
export const rowAttribute = (id: string | undefined) => ({ 'data-row': id });

const linkOf = (list: HTMLElement | null, id: string) =>
  list?.querySelector<HTMLElement>(`[data-row="${id}"] :is(a, input)`);

type RovingFocus = {
  /** Places that stay in the page, wherever it scrolls: what has the focus, its neighbours, and what Tab leads to. */
  kept: readonly number[];
  /** The row that Tab leads to. */
  tabId: string | undefined;
  handlers: {
    onFocus(event: FocusEvent): void;
    onBlur(event: FocusEvent): void;
    onKeyDown(event: KeyboardEvent): void;
  };
};

/**
 * One row takes part in Tab; arrows, Home and End move between rows. Whoever walks the list by keyboard keeps their
 * place: when their row leaves, its neighbour takes over.
 */
export function useRovingFocus(
  list: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  openId: string | undefined,
  bringIntoView: (index: number) => void,
): RovingFocus {
  const [focused, setFocused] = useState<string | null>(null);
  /** A row that an arrow key leads to, until it is in the page. */
  const [wanted, setWanted] = useState<string | null>(null);
  const indexOf = (id: string | null | undefined) =>
    id == null ? -1 : rows.findIndex(({ conversationId }) => conversationId === id);
  const index = indexOf(focused);
  const wantedIndex = indexOf(wanted);
  const tabIndex = index >= 0 ? index : Math.max(0, indexOf(openId));
  const lastIndex = useRef(-1);

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
        // The browser scrolls to where a row is thought to be; once those before it are measured, it may lie elsewhere.
        // Not for a pointer, under which nothing may move, nor when the window only comes back.
        if (id === null || relatedTarget === null || !target.matches(':focus-visible')) return;
        bringIntoView(rows.findIndex(({ conversationId }) => conversationId === id));
      },
      onBlur({ target, relatedTarget }) {
        if (list.current?.contains(relatedTarget)) return;
        // A row that is being taken out also loses the focus, but nobody went away.
        queueMicrotask(() => {
          if (target.isConnected && document.activeElement !== target) setFocused(null);
        });
      },
      onKeyDown(event) {
        const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
        if (altKey || ctrlKey || metaKey || shiftKey) return;
        if (!(target instanceof Element) || !target.matches('[data-row] :is(a, input)')) return;
        const to = {
          ArrowDown: Math.min(index + 1, rows.length - 1),
          ArrowUp: Math.max(index - 1, 0),
          Home: 0,
          End: rows.length - 1,
        }[key];
        const row = to === undefined ? undefined : rows[to];
        if (to === undefined || row === undefined || index < 0) return;
        event.preventDefault();
        bringIntoView(to);
        setWanted(row.conversationId);
      },
    },
  };
}

/** The one row that Tab leads to; arrow keys lead to the others. */
export const RovingRow = createContext<string | undefined>(undefined);

export function useRowTabIndex(conversationId: string): 0 | -1 {
  return use(RovingRow) === conversationId ? 0 : -1;
}
