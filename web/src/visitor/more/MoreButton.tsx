import { texts } from '@settee/protocol/texts';
import { useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { later } from '../later.tsx';
import type { MenuProps, MoreActions } from './Menu.tsx';

const load = () => import('./Menu.tsx').then((part) => part.Menu);
const Menu = later<MenuProps>(load);
/** Ahead of the press; a press asks again where this failed. */
const prepare = () => void load().catch(() => undefined);

/** Opens what a visitor seldom needs; its script comes when a hand moves towards it. */
export function MoreButton(actions: MoreActions) {
  const [open, setOpen] = useState(false);
  /** A press beside the menu closes it, also one on this button, whose click comes after: it must not open it anew. */
  const openAtPress = useRef(false);
  return (
    <>
      <Button
        look="round"
        aria-label={texts.more}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={prepare}
        onFocus={prepare}
        onPointerDown={() => {
          openAtPress.current = open;
        }}
        onClick={() => {
          setOpen(!openAtPress.current);
          openAtPress.current = false;
        }}
      >
        <Icon name="more" size={22} />
      </Button>
      {open && <Menu {...actions} onClose={() => setOpen(false)} />}
    </>
  );
}
