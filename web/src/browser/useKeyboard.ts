import { useEffect, useState } from 'react';

/**
 * Follows the on-screen keyboard and sets the remaining height. Only iOS needs the height, because its keyboard covers
 * the page.
 */
export function useKeyboard(): boolean {
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const viewport = window.visualViewport;
    if (!viewport) return;
    let full = { width: window.innerWidth, height: window.innerHeight };
    let frame = 0;

    function measure(): void {
      // Pinch zoom changes the same values.
      if (viewport?.scale !== 1) return;
      // The phone was rotated.
      if (window.innerWidth !== full.width) full = { width: window.innerWidth, height: 0 };
      full.height = Math.max(full.height, window.innerHeight, viewport.height);
      const keyboard = measureKeyboard(full.height, viewport.height);
      const covered = keyboard.open && window.innerHeight - viewport.height > 1;
      const { style } = document.documentElement;
      if (covered) {
        style.setProperty('--app-height', `${keyboard.height}px`);
        // Safari scrolls the page to show the field, but the page already fits.
        window.scrollTo(0, 0);
      } else style.removeProperty('--app-height');
      setOpen(keyboard.open);
    }

    function soon(): void {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    }

    function restore(): void {
      // Reset at once, because the closing keyboard is reported late.
      document.documentElement.style.removeProperty('--app-height');
      soon();
    }

    const listeners = new AbortController();
    const { signal } = listeners;
    viewport.addEventListener('resize', soon, { signal });
    document.addEventListener('focusin', soon, { signal });
    document.addEventListener('focusout', restore, { signal });
    window.addEventListener('pageshow', soon, { signal });
    soon();
    return () => {
      cancelAnimationFrame(frame);
      listeners.abort();
      document.documentElement.style.removeProperty('--app-height');
    };
  }, []);

  return open;
}

/** A larger change of the viewport is a keyboard, not a browser bar. */
const KEYBOARD_FROM_PX = 100;

/** Minimum height, whatever the browser reports. */
const LEAST_HEIGHT_PX = 200;

type Keyboard = { open: boolean; height: number };

export function measureKeyboard(full: number, visible: number): Keyboard {
  return { open: full - visible > KEYBOARD_FROM_PX, height: Math.max(Math.round(visible), LEAST_HEIGHT_PX) };
}
