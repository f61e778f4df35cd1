import { adminTexts } from '@settee/protocol/texts/adminTexts';
import type { ReactNode } from 'react';
import { ListLoading } from '../../staff/ListState.tsx';
import styles from './StaleContent.module.css';

type StaleContentProps = {
  /** What is at hand belongs to the choice before: that of now is still on its way. */
  earlier: boolean;
  /** There is nothing at hand. That says nothing about what is on its way. */
  empty?: boolean;
  children: ReactNode;
};

/** What somebody chose to see. Until it is there, what was there before is shown, but does not pass for it. */
export function StaleContent({ earlier, empty = false, children }: StaleContentProps) {
  if (earlier && empty) return <ListLoading text={adminTexts.adminLoading} />;
  return (
    <div className={styles.shown} aria-busy={earlier}>
      {children}
    </div>
  );
}
