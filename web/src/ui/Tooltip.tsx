import { type ReactNode, useEffect, useId } from 'react';
import styles from './Tooltip.module.css';
import type { TooltipPosition } from './tooltipWatch.ts';

type TooltipProps = {
  text: string;
  position?: TooltipPosition;
  /** Delay in milliseconds. Default 200. */
  delay?: number;
  /** The trigger. Receives the tooltip's id for aria-labelledby or aria-describedby. */
  children: (id: string) => ReactNode;
};

/** A tooltip. CSS shows it on hover and keyboard focus. One script per page adds tap, Escape and window edges. */
export function Tooltip({ text, position = 'top', delay, children }: TooltipProps) {
  const id = useId();
  useEffect(() => {
    import('./tooltipWatch.ts').then(
      ({ watchTooltips }) => watchTooltips(),
      // Tooltips work without it.
      (error: unknown) => console.error('tooltips:', error),
    );
  }, []);
  return (
    <span
      className={styles.wrap}
      data-tooltip={position}
      style={delay === undefined ? undefined : ({ '--delay': `${delay}ms` } as object)}
    >
      {children(id)}
      <span id={id} className={styles.tip} role="tooltip" data-position={position}>
        {text}
      </span>
    </span>
  );
}
