import { useEffect, useEffectEvent } from 'react';

/** Closes the overlay. Returns false if it must stay open. */
type OnBack = () => unknown;

const open = new Map<string, OnBack>();
let listens = false;
/** The overlay of the current history entry, even if it is closed. */
let current: string | undefined;

/**
 * Back closes an overlay before it leaves the page. The overlay pushes a history entry with the same address. Closing
 * it otherwise keeps the entry, because going back takes time and could undo a following navigation. Used entries are
 * skipped, and replaced by the next overlay or navigation.
 */
export function useHistoryOverlay(onBack: OnBack): void {
  const close = useEffectEvent(onBack);
  useEffect(() => {
    const id = `${Date.now()}-${Math.random()}`;
    listen();
    open.set(id, () => close());
    enter(id);
    return () => void open.delete(id);
  }, []);
}

/** Whether a navigation must replace the current entry, which belongs to an overlay. Releases the entry. */
export function takeOverlayEntry(): boolean {
  const taken = current !== undefined;
  current = undefined;
  return taken;
}

function enter(id: string): void {
  const isUsed = current !== undefined && !open.has(current);
  const state = { ...(history.state as object | null), overlay: id };
  if (isUsed) history.replaceState(state, '');
  else history.pushState(state, '');
  current = id;
}

function listen(): void {
  if (listens) return;
  listens = true;
  current = overlayOf(history.state);
  addEventListener('popstate', ({ state }) => {
    const left = current;
    current = overlayOf(state);
    const close = left === undefined ? undefined : open.get(left);
    if (left !== undefined && close) {
      if (close() === false) enter(left);
    } else if (left !== undefined || (current !== undefined && !open.has(current))) {
      history.back();
    }
  });
}

function overlayOf(state: unknown): string | undefined {
  return (state as { overlay?: string } | null)?.overlay;
}
