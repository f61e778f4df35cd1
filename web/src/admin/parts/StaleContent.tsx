import { adminTexts } from '@settee/protocol/texts/adminTexts';
import type { ReactNode } from 'react';
import { ListLoading } from '../../staff/ListState.tsx';
import styles from './StaleContent.module.css';

type StaleContentProps = {
  /** The content belongs to the previous choice. */
  stale: boolean;
  /** There is no content to show yet. */
  empty?: boolean;
  children: ReactNode;
};

/** Dims content of the previous choice while the new one loads. */
export function StaleContent({ stale, empty = false, children }: StaleContentProps) {
  if (stale && empty) return <ListLoading text={adminTexts.adminLoading} />;
  return (
    <div className={styles.shown} aria-busy={stale}>
      {children}
    </div>
  );
}
