import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import { ListLoading } from '../../staff/ListState.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useTitle } from '../alerts/useTitle.ts';
import { useConsole, usePageName, useSignedIn } from '../context.ts';
import styles from './SecurityPage.module.css';

/** Rarely needed, so loaded on demand. */
const SecurityPanel = lazy(() =>
  import('../../staff/security/SecurityPanel.tsx').then((part) => ({ default: part.SecurityPanel })),
);

/** Security settings, for staff without the admin area. */
export function SecurityPage() {
  const { session } = useSignedIn();
  const { brand } = useConsole();
  usePageName(accountTexts.security);
  useTitle(brand.displayName, 0);
  return (
    <main className={styles.place} data-look="staff">
      <div className={styles.column}>
        <Link to="/" className={styles.back}>
          <Icon name="back" />
          {consoleTexts.backToQueue}
        </Link>
        <h1 className={styles.title}>{accountTexts.security}</h1>
        <Suspense fallback={<ListLoading text={texts.loading} />}>
          <SecurityPanel session={session} />
        </Suspense>
      </div>
    </main>
  );
}
