import { type RefObject, useEffect, useLayoutEffect } from 'react';

type Element = RefObject<HTMLElement | null>;

/** Focuses the panel. Returns the focus to the bell or to where it was, unless the user has moved it elsewhere. */
export function useFocusInside(panel: Element, corner: Element): void {
  useLayoutEffect(() => {
    const own = panel.current;
    const before = document.activeElement;
    const bell = corner.current?.querySelector<HTMLElement>('[aria-haspopup]') ?? before;
    own?.focus();
    return () => {
      const { activeElement } = document;
      const stayed = activeElement === document.body || own?.contains(activeElement);
      if (stayed && bell instanceof HTMLElement) bell.focus();
    };
  }, [panel, corner]);
}

/** Keeps the focus in the panel when the focused button disappears. */
export function useFocusKept(panel: Element, state: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs whenever the state changes.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus();
  }, [panel, state]);
}

/** Closes the panel on Esc, on a click outside, and when the focus leaves. */
export function useClosing(corner: Element, onClose: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    const onElsewhere = ({ target }: Event) => {
      if (target instanceof Node && !corner.current?.contains(target)) onClose();
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    document.addEventListener('keydown', onKey, { signal });
    document.addEventListener('click', onElsewhere, { signal });
    document.addEventListener('focusin', onElsewhere, { signal });
    return () => listeners.abort();
  }, [corner, onClose]);
}
