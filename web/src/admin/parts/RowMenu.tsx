import { useCallback, useEffect, useRef, useState } from 'react';
import groups from '../../staff/menu/items.module.css';
import { placeMenu } from '../../staff/menu/placeMenu.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { useMenuButton } from '../../ui/useMenuButton.ts';
import styles from './RowMenu.module.css';

/** The style sheet's width. A menu at the pointer opens to its right. */
const MENU_PX = 204;

export type RowMenuItem = {
  text: string;
  run: () => void;
  danger?: boolean;
  /** Below a line. */
  apart?: boolean;
};

export type RowMenuProps = { label: string; items: readonly (RowMenuItem | false)[] };

/** A row's menu, opened by its button or by a right click in the row. */
export function RowMenu({ label, items }: RowMenuProps) {
  const { open, show, close, button } = useMenuButton();
  const own = useRef<HTMLButtonElement>(null);
  const [point, setPoint] = useState<DOMRect | null>(null);

  useEffect(() => {
    const row = own.current?.closest('tr');
    if (!row) return;
    function onContextMenu(event: MouseEvent): void {
      // Keep the browser's menu for selected text and for Shift.
      if (event.shiftKey || getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      setPoint(new DOMRect(event.clientX, event.clientY, MENU_PX));
      show();
    }
    row.addEventListener('contextmenu', onContextMenu);
    return () => row.removeEventListener('contextmenu', onContextMenu);
  }, [show]);

  const place = useCallback(
    (menu: HTMLElement) => {
      const at = point ?? own.current?.getBoundingClientRect();
      if (at) placeMenu(at, menu);
    },
    [point],
  );

  function ended(): void {
    setPoint(null);
    close();
  }

  return (
    <>
      <button
        ref={own}
        type="button"
        className={`icon-button ${styles.menuButton}`}
        data-size="sm"
        aria-label={label}
        title={label}
        {...button}
      >
        <Icon name="more" size={18} />
      </button>
      {open && (
        <Menu label={label} className={styles.menu} onClose={ended} place={place}>
          {(choose) =>
            items.map((item) => item && <Item key={item.text} {...item} run={() => choose(item.run)} />)
          }
        </Menu>
      )}
    </>
  );
}

function Item({ text, run, danger = false, apart = false }: RowMenuItem) {
  const item = (
    <MenuItem data-danger={danger || undefined} onClick={run}>
      {text}
    </MenuItem>
  );
  return apart ? <div className={groups.group}>{item}</div> : item;
}
