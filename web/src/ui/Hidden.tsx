import type { ReactNode } from 'react';
import styles from './Hidden.module.css';

/** Visible to screen readers only. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}
