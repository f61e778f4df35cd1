import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { useEffect, useState } from 'react';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { useMediaQuery } from '../../ui/useMediaQuery.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { ConsoleLink, NavItems } from './Navigation.tsx';
import { shapes } from './shapes.ts';
import styles from './TopBar.module.css';

/** Navigation on phones: a sheet behind a button. */
export function TopBar() {
  const [open, setOpen] = useState(false);
  // Turning the phone shows the side navigation. An open sheet would be hidden with this bar and still block
  // the page.
  const wide = useMediaQuery('(min-width: 768px)');
  useEffect(() => {
    if (wide) setOpen(false);
  }, [wide]);
  return (
    <nav className={styles.bar} aria-label={adminTexts.navigation}>
      <Logo size={28} />
      <span className={styles.name}>settee</span>
      <Button
        look="round"
        aria-label={adminTexts.menu}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Shape paths={shapes.menu} size={22} />
      </Button>
      {open && (
        <Dialog title={adminTexts.navigation} look="sheet" onClose={() => setOpen(false)}>
          {(close) => (
            <div className={styles.sheet}>
              <Button look="round" className={styles.close} aria-label={adminTexts.closeMenu} onClick={close}>
                <Icon name="x" />
              </Button>
              <NavItems onGo={close} />
              <div className={styles.foot}>
                <ConsoleLink />
                <AccountMenu onGo={close} />
              </div>
            </div>
          )}
        </Dialog>
      )}
    </nav>
  );
}
