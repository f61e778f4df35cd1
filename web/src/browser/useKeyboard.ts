import { useEffect, useState } from 'react';

/**
 * Follows the on-screen keyboard: tells whether it is open, and gives the page the height that is left. Only iOS
 * needs the height, where the keyboard lies over the page; elsewhere the page itself becomes smaller.
 */
export function useKeyboard(): boolean {
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    let full = { width: window.innerWidth, height: window.innerHeight };
    let frame = 0;

    function measure(): void {
      // Somebody who zooms in moves the same numbers.
      if (viewport?.scale !== 1) return;
      // A turned phone is another phone.
      if (window.innerWidth !== full.width) full = { width: window.innerWidth, height: 0 };
      full.height = Math.max(full.height, window.innerHeight, viewport.height);
      const keyboard = measureKeyboard(full.height, viewport.height);
      const covered = keyboard.open && window.innerHeight - viewport.height > 1;
      const { style } = document.documentElement;
      if (covered) {
        style.setProperty('--app-height', `${keyboard.height}px`);
        // Safari pushes the page up to show the field; the page is already as small as the room left.
        window.scrollTo(0, 0);
      } else style.removeProperty('--app-height');
      setOpen(keyboard.open);
    }

    function soon(): void {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    }

    function restore(): void {
      // At once: the keyboard's own leaving is reported late, and would leave a hole.
      document.documentElement.style.removeProperty('--app-height');
      soon();
    }

    viewport.addEventListener('resize', soon);
    document.addEventListener('focusin', soon);
    document.addEventListener('focusout', restore);
    window.addEventListener('pageshow', soon);
    soon();
    return () => {
      cancelAnimationFrame(frame);
      viewport.removeEventListener('resize', soon);
      document.removeEventListener('focusin', soon);
      document.removeEventListener('focusout', restore);
      window.removeEventListener('pageshow', soon);
      document.documentElement.style.removeProperty('--app-height');
    };
  }, []);

  return open;
}

/** A viewport that shrinks by more than this lost the rest to an on-screen keyboard, not to a browser's bar. */
const KEYBOARD_FROM_PX = 100;

/** Nothing can be read in less, whatever the browser reports. */
const LEAST_HEIGHT_PX = 200;

type Keyboard = { open: boolean; height: number };

/** Whether a keyboard covers the page, and the height that is left to draw in. */
export function measureKeyboard(full: number, visible: number): Keyboard {
  return { open: full - visible > KEYBOARD_FROM_PX, height: Math.max(Math.round(visible), LEAST_HEIGHT_PX) };
}
