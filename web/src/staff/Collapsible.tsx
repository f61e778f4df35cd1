import type { ComponentProps, ReactNode } from 'react';
import { Shape } from '../ui/Icon.tsx';
import styles from './Collapsible.module.css';
import { staffShapes } from './shapes.ts';

type CollapsibleProps = Pick<ComponentProps<'details'>, 'onToggle'> & {
  summary: ReactNode;
  children: ReactNode;
};

/** Content that opens below its title, with the same chevron in all browsers. */
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
