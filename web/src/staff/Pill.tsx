import type { ReactNode } from 'react';
import styles from './Pill.module.css';

/** A state as text on a coloured background. */
export function Pill({
  tone,
  children,
}: {
  tone: 'plain' | 'brand' | 'good' | 'warn' | 'bad';
  children: ReactNode;
}) {
  return (
    <span className={`${styles.pill} ${styles[tone]}`} data-pill={tone}>
      {children}
    </span>
  );
}
