import { texts } from '@settee/protocol/texts';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Shape } from '../../ui/Icon.tsx';
import { chooseTheme, chosenTheme, type Theme } from '../theme.ts';
import styles from './Menu.module.css';
import { shapes } from './shapes.ts';

export type MoreActions = {
  onChangeName: () => void;
  /** Missing where this device may not let in another. */
  onAnotherDevice: (() => void) | undefined;
};

const themes: { theme: Theme; text: string }[] = [
  { theme: 'system', text: texts.themeSystem },
  { theme: 'light', text: texts.themeLight },
  { theme: 'dark', text: texts.themeDark },
];

const KEYS: Record<string, (from: number, count: number) => number> = {
  ArrowDown: (from, count) => (from + 1) % count,
  ArrowUp: (from, count) => (from - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

export type MenuProps = MoreActions & { onClose: () => void };

/** A popover: the browser closes it on Escape or a press elsewhere, and gives the focus back. */
export function Menu({ onChangeName, onAnotherDevice, onClose }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const [theme, setTheme] = useState(chosenTheme);

  useEffect(() => {
    const element = menu.current;
    // Where a browser has no popovers yet, it is simply there.
    element?.showPopover?.();
    itemsOf(element)[0]?.focus();
  }, []);

  function close(): void {
    if (menu.current?.hidePopover) menu.current.hidePopover();
    else onClose();
  }

  function choose(action: () => void): void {
    close();
    action();
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
      className={styles.menu}
      popover="auto"
      role="menu"
      aria-label={texts.more}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onToggle={(event) => event.newState === 'closed' && onClose()}
    >
      <button type="button" role="menuitem" className={styles.item} onClick={() => choose(onChangeName)}>
        <Shape paths={shapes.pencil} />
        {texts.changeName}
      </button>
      {onAnotherDevice && (
        <button type="button" role="menuitem" className={styles.item} onClick={() => choose(onAnotherDevice)}>
          <Shape paths={shapes.devices} />
          {texts.anotherDevice}
        </button>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a menu */}
      <div role="group" aria-label={texts.theme} className={styles.themes}>
        <span className={styles.label} aria-hidden="true">
          {texts.theme}
        </span>
        {themes.map((each) => (
          <button
            key={each.theme}
            type="button"
            role="menuitemradio"
            aria-checked={theme === each.theme}
            className={styles.theme}
            onClick={() => {
              chooseTheme(each.theme);
              setTheme(each.theme);
            }}
          >
            <Shape paths={shapes[each.theme]} size={18} />
            {each.text}
          </button>
        ))}
      </div>
    </div>
  );
}

function itemsOf(menu: HTMLElement | null): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('button') ?? [])];
}
