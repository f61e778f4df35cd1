import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { Outlet, ScrollRestoration } from 'react-router';
import { SkipLink } from '../../staff/SkipLink.tsx';
import { FactorBanner } from '../../staff/security/FactorBanner.tsx';
import { ToastPlace } from '../../staff/toast/ToastPlace.tsx';
import { useAdmin } from '../context.ts';
import { LineNotices } from './LineNotices.tsx';
import styles from './Shell.module.css';
import { SideBar } from './SideBar.tsx';
import { TopBar } from './TopBar.tsx';

const MAIN = 'main';

/** Where one is in the admin area, and the way to everywhere else: at the side, or on a phone behind a button. */
export function Shell() {
  const { staff } = useAdmin();
  return (
    <div className={styles.shell} data-look="staff">
      <SkipLink to={MAIN}>{adminTexts.skipToContent}</SkipLink>
      <SideBar />
      <TopBar />
      <main id={MAIN} className={styles.main} tabIndex={-1}>
        <FactorBanner staff={staff} />
        <LineNotices />
        <div className={styles.content}>
          <Outlet />
        </div>
        <ToastPlace />
      </main>
      <ScrollRestoration />
    </div>
  );
}
