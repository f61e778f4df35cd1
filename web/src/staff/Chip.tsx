import type { ReactNode } from 'react';
import { Shape } from '../ui/Icon.tsx';
import styles from './Chip.module.css';

type ChipProps = { tone: 'lamp' | 'danger' | 'quiet'; icon: readonly string[]; children: ReactNode };

/** A short text about a conversation; the colour only repeats it. */
export function Chip({ tone, icon, children }: ChipProps) {
  return (
    <span className={styles.chip} data-tone={tone === 'danger' ? 'alarm' : tone}>
      <Shape paths={icon} size={13} />
      {children}
    </span>
  );
}
