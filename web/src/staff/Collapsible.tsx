import type { ComponentProps, ReactNode } from 'react';
import { Shape } from '../ui/Icon.tsx';
import styles from './Collapsible.module.css';
import { staffShapes } from './shapes.ts';

type CollapsibleProps = Pick<ComponentProps<'details'>, 'onToggle'> & {
  summary: ReactNode;
  children: ReactNode;
};

/** Content that opens under its title. The chevron is ours: each browser draws another one. */
export function Collapsible({ summary, children, onToggle }: CollapsibleProps) {
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
