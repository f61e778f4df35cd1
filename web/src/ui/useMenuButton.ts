import { useCallback, useRef, useState } from 'react';

export function useMenuButton() {
  const [open, setOpen] = useState(false);
  /** An outside press closes the menu, also one on this button. Its click must not open it again. */
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
