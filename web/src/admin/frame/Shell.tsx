import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { useEffect, useState } from 'react';
import { Outlet, ScrollRestoration } from 'react-router';
import { Dialog } from '../../staff/dialog/FormDialog.tsx';
import { EndedNotice } from '../../staff/EndedNotice.tsx';
import { SkipLink } from '../../staff/SkipLink.tsx';
import { FactorBanner } from '../../staff/security/FactorBanner.tsx';
import { Toaster } from '../../staff/toast/Toaster.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useMediaQuery } from '../../ui/useMediaQuery.ts';
import { useAdmin, useLiveAdmin } from '../context.ts';
import { useLasting } from '../parts/useLasting.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { ConsoleLink, NavItems } from './Navigation.tsx';
import { ScopeMenu } from './ScopeMenu.tsx';
import styles from './Shell.module.css';
import { shapes } from './shapes.ts';
import bar from './TopBar.module.css';

const MAIN = 'main';

/** Navigation at the side, or behind a button on phones, and the current page. */
export function Shell() {
  const { staff } = useAdmin();
  return (
    <div className={styles.shell} data-look="staff">
      <SkipLink to={MAIN}>{adminTexts.skipToContent}</SkipLink>
      <SideBar />
      <TopBar />
      <main id={MAIN} className={styles.main} tabIndex={-1}>
        <FactorBanner staff={staff} />
        <ConnectionNotices />
        <div className={styles.content}>
          <Outlet />
        </div>
        <Toaster />
      </main>
      <ScrollRestoration />
    </div>
  );
}

/** Icons and labels on wide screens, icons alone on narrower ones. */
function SideBar() {
  return (
    <nav className={styles.side} aria-label={adminTexts.navigation}>
      <div className={styles.logo}>
        <Logo size={30} />
        <span>settee</span>
      </div>
      <ScopeMenu />
      <NavItems />
      <div className={styles.foot}>
        <ConsoleLink />
        <AccountMenu />
      </div>
    </nav>
  );
}

/** Shorter interruptions are not shown. */
const SAY_LOST_AFTER_MS = 3_000;

/** Warns when the page may be outdated: the connection is down, or the server closed it. */
function ConnectionNotices() {
  const { status, ended } = useLiveAdmin();
  const lost = useLasting(status !== 'open', SAY_LOST_AFTER_MS);
  if (ended) return <EndedNotice reason={ended} tooManyTabs={adminTexts.tooManyTabs} />;
  return lost && <Notice tone="lamp">{adminTexts.lineLost}</Notice>;
}

/** Navigation on phones: a sheet behind a button. */
function TopBar() {
  const [open, setOpen] = useState(false);
  // Turning the phone shows the side navigation. An open sheet would be hidden with this bar and still block
  // the page.
  const wide = useMediaQuery('(min-width: 768px)');
  useEffect(() => {
    if (wide) setOpen(false);
  }, [wide]);
  return (
    <nav className={bar.bar} aria-label={adminTexts.navigation}>
      <Logo size={28} />
      <ScopeMenu instead={<span className={bar.name}>settee</span>} />
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
            <div className={bar.sheet}>
              <Button look="round" className={bar.close} aria-label={adminTexts.closeMenu} onClick={close}>
                <Icon name="x" />
              </Button>
              <NavItems onGo={close} />
              <div className={bar.foot}>
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
