import { texts } from '@settee/protocol/texts';
import { Suspense, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { later } from '../later.tsx';
import type { MoreActions } from './Menu.tsx';

const load = () => import('./Menu.tsx');
const Menu = later(
  () => load().then((part) => part.Menu),
  () => null,
);

/** Opens what a visitor seldom needs; its script comes when a hand moves towards it. */
export function MoreButton(actions: MoreActions) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        look="round"
        aria-label={texts.more}
        aria-haspopup="menu"
        aria-expanded={open}
        onPointerEnter={load}
        onFocus={load}
        onClick={() => setOpen(!open)}
      >
        <Icon name="more" size={22} />
      </Button>
      <Suspense>{open && <Menu {...actions} onClose={() => setOpen(false)} />}</Suspense>
    </>
  );
}
