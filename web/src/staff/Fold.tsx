import type { ComponentProps, ReactNode } from 'react';
import { Shape } from '../ui/Icon.tsx';
import styles from './Fold.module.css';
import { staffShapes } from './shapes.ts';

type FoldProps = Pick<ComponentProps<'details'>, 'onToggle'> & { summary: ReactNode; children: ReactNode };

/** Content that opens under its title. The chevron is ours: each browser draws another one. */
export function Fold({ summary, children, onToggle }: FoldProps) {
  return (
    <details className={styles.fold} onToggle={onToggle}>
      <summary>
        {summary}
        <Shape paths={staffShapes.chevron} size={18} />
      </summary>
      {children}
    </details>
  );
}
