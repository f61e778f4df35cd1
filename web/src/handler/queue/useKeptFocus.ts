import { type FocusEvent, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';

type Row = { conversationId: string };

/** As a row's element carries its id. */
export const rowAttribute = (id: string | undefined) => ({ 'data-row': id });

type KeptFocus = {
  /** The places of the row that has the focus and of its neighbours: they stay in the page, wherever it scrolls. */
  kept: readonly number[];
  handlers: { onFocus(event: FocusEvent): void; onBlur(event: FocusEvent): void };
};

/** Whoever walks the list by keyboard keeps their place: when their row leaves, its neighbour takes over. */
export function useKeptFocus(
  list: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  bringIntoView: (index: number) => void,
): KeptFocus {
  const [focused, setFocused] = useState<string | null>(null);
  const index = focused === null ? -1 : rows.findIndex(({ conversationId }) => conversationId === focused);
  const lastIndex = useRef(-1);

  useLayoutEffect(() => {
    if (index >= 0) lastIndex.current = index;
    if (focused === null || index >= 0) return;
    const next = rows[Math.min(lastIndex.current, rows.length - 1)];
    setFocused(null);
    const elsewhere = document.activeElement !== document.body && document.activeElement !== null;
    if (next === undefined || elsewhere) return;
    list.current?.querySelector<HTMLElement>(`[data-row="${next.conversationId}"] a`)?.focus();
  }, [focused, index, list, rows]);

  // Tab, forwards and back, needs a row to go to.
  const kept = useMemo(
    () => (index < 0 ? [] : [index - 1, index, index + 1].filter((each) => each >= 0)),
    [index],
  );

  return {
    kept,
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
    },
  };
}
