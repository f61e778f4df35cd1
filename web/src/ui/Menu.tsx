import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import styles from './Menu.module.css';

const KEYS: Record<string, (from: number, count: number) => number> = {
  ArrowDown: (from, count) => (from + 1) % count,
  ArrowUp: (from, count) => (from - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

type MenuProps = {
  label: string;
  /** Where it stands, and how wide. */
  className: string | undefined;
  onClose: () => void;
  /** Puts it where it belongs, when it opens and when the window changes. */
  place?: (menu: HTMLElement) => void;
  /** Its buttons. `choose` closes the menu before it does what was chosen. */
  children: (choose: (action: () => void) => void) => ReactNode;
};

/** A popover: the browser closes it on Escape or a press elsewhere, and gives the focus back. */
export function Menu({ label, className, onClose, place, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = menu.current;
    // Where a browser has no popovers yet, it is simply there.
    element?.showPopover?.();
    itemsOf(element)[0]?.focus();
  }, []);
  useEffect(() => {
    if (!place) return;
    const put = () => menu.current && place(menu.current);
    put();
    // What it stands by may move with the window, once the page has taken the new size in.
    const putNext = () => requestAnimationFrame(put);
    addEventListener('resize', putNext);
    return () => removeEventListener('resize', putNext);
  }, [place]);

  function close(): void {
    if (menu.current?.hidePopover) menu.current.hidePopover();
    else onClose();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const items = itemsOf(menu.current);
    const go = KEYS[event.key];
    if (event.key === 'Tab') close();
    if (!go) return;
    event.preventDefault();
    items[go(items.indexOf(document.activeElement as HTMLElement), items.length)]?.focus();
  }

  return (
    <div
      ref={menu}
      className={`${styles.menu} ${className}`}
      popover="auto"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      {children((action) => {
        close();
        action();
      })}
    </div>
  );
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('button:enabled') ?? [])];
}
