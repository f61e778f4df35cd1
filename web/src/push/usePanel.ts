import { type RefObject, useEffect, useLayoutEffect } from 'react';

type Element = RefObject<HTMLElement | null>;

/** Takes the focus; gives it back to the bell or where it was, unless the person has moved on to something else. */
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

/** Whoever was at a button that the next state has not stays in the panel. */
export function useFocusKept(panel: Element, state: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks whenever the state is another.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus();
  }, [panel, state]);
}

/** Esc, a press elsewhere, and focus that moves on close it. */
export function useClosing(corner: Element, onClose: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose();
    };
    const onElsewhere = ({ target }: Event) => {
      if (target instanceof Node && !corner.current?.contains(target)) onClose();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('click', onElsewhere);
    document.addEventListener('focusin', onElsewhere);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('click', onElsewhere);
      document.removeEventListener('focusin', onElsewhere);
    };
  }, [corner, onClose]);
}
