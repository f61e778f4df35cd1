import { type ButtonHTMLAttributes, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import styles from './Menu.module.css';

const KEYS: Record<string, (from: number, count: number) => number> = {
  ArrowDown: (from, count) => (from + 1) % count,
  ArrowUp: (from, count) => (from - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

type MenuProps = {
  label: string;
  /** Position and width. */
  className: string | undefined;
  onClose: () => void;
  /** Positions the menu on open and on resize. */
  place?: (menu: HTMLElement) => void;
  /** The items. `choose` closes the menu before it runs the action. */
  children: (choose: (action: () => void) => void) => ReactNode;
};

/** A popover. The browser closes it on Escape or an outside press, and restores the focus. */
export function Menu({ label, className, onClose, place, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const element = menu.current;
    // Without popover support it is always visible.
    element?.showPopover?.();
    itemsOf(element)[0]?.focus();
  }, []);
  useEffect(() => {
    if (!place) return;
    const put = () => menu.current && place(menu.current);
    put();
    // Reposition after the layout has adapted to the new size.
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

export function MenuItem({ className, ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      role="menuitem"
      className={className ? `${styles.item} ${className}` : styles.item}
      {...rest}
    />
  );
}
