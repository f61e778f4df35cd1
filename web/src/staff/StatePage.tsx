import type { ReactNode } from 'react';
import { Mark } from '../ui/Mark.tsx';
import styles from './StatePage.module.css';

type StatePageProps = { title: string; note?: string; alert?: boolean; children?: ReactNode };

/** A page that says one thing: loading, failed, sign in. */
export function StatePage({ title, note, alert = false, children }: StatePageProps) {
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <span className={styles.mark}>
          <Mark size={44} />
        </span>
        <div role={alert ? 'alert' : undefined}>
          <h1 className={styles.title}>{title}</h1>
          {note && <p className={styles.note}>{note}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}
