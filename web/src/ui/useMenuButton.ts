import { useCallback, useRef, useState } from 'react';

/** What a button needs that opens a menu. */
export function useMenuButton() {
  const [open, setOpen] = useState(false);
  /** A press beside the menu closes it, also one on this button, whose click comes after: it must not open it anew. */
  const openAtPress = useRef(false);
  return {
    open,
    show: useCallback(() => setOpen(true), []),
    close: () => setOpen(false),
    button: {
      'aria-haspopup': 'menu',
      'aria-expanded': open,
      onPointerDown() {
        openAtPress.current = open;
      },
      onClick() {
        setOpen(!openAtPress.current);
        openAtPress.current = false;
      },
    },
  } as const;
}
