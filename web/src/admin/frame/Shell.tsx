import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { Outlet, ScrollRestoration } from 'react-router';
import { SkipLink } from '../../staff/SkipLink.tsx';
import { FactorBanner } from '../../staff/security/FactorBanner.tsx';
import { Toaster } from '../../staff/toast/Toaster.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { useAdmin } from '../context.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { ConnectionNotices } from './ConnectionNotices.tsx';
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
