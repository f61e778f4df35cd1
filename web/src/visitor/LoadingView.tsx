import { texts } from '@settee/protocol/texts';
import { Spinner } from '../ui/Spinner.tsx';
import styles from './Page.module.css';

export function LoadingView() {
  return (
    <main className={styles.page}>
      <div className={styles.centre}>
        <Spinner label={texts.loading} size={36} />
      </div>
    </main>
  );
}
