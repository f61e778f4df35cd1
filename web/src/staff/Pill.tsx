import type { ReactNode } from 'react';
import styles from './Pill.module.css';

/** A state as a word on a ground of its own colour. */
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
