import type { ReactNode } from 'react';
import styles from './Pill.module.css';

type PillProps = { tone: 'plain' | 'brand' | 'good' | 'warn' | 'bad'; children: ReactNode };

export function Pill({ tone, children }: PillProps) {
  return (
    <span className={`${styles.pill} ${styles[tone]}`} data-pill={tone}>
      {children}
    </span>
  );
}
