import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { Outlet, ScrollRestoration } from 'react-router';
import { EndedNotice } from '../../staff/EndedNotice.tsx';
import { SkipLink } from '../../staff/SkipLink.tsx';
import { FactorBanner } from '../../staff/security/FactorBanner.tsx';
import { Toaster } from '../../staff/toast/Toaster.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useAdmin, useLiveAdmin } from '../context.ts';
import { useLasting } from '../parts/useLasting.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { ConsoleLink, NavItems } from './Navigation.tsx';
import styles from './Shell.module.css';
import { TopBar } from './TopBar.tsx';

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
