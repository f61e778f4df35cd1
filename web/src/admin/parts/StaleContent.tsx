import { adminTexts } from '@settee/protocol/texts/adminTexts';
import type { ReactNode } from 'react';
import { ListLoading } from '../../staff/ListState.tsx';
import styles from './StaleContent.module.css';

type StaleContentProps = {
  /** The content belongs to the previous choice. */
  earlier: boolean;
  /** There is no content to show yet. */
  empty?: boolean;
  children: ReactNode;
};

/** Dims content of the previous choice while the new one loads. */
export function StaleContent({ earlier, empty = false, children }: StaleContentProps) {
  if (earlier && empty) return <ListLoading text={adminTexts.adminLoading} />;
  return (
    <div className={styles.shown} aria-busy={earlier}>
      {children}
    </div>
  );
}
