import { type ReactNode, useEffect, useId } from 'react';
import styles from './Tooltip.module.css';
import type { TooltipPosition } from './tooltipWatch.ts';

type TooltipProps = {
  text: string;
  position?: TooltipPosition;
  /** Milliseconds until it shows; 200 unless told. */
  delay?: number;
  /** What it is about. It is handed the tooltip's id, for aria-labelledby or aria-describedby. */
  children: (id: string) => ReactNode;
};

/**
 * Words beside a thing. Style sheets show them on hover and keyboard focus, for as long as either lasts, and the
 * pointer may move onto them; a script that every page has only once adds the tap, Esc, and the window's edges.
 */
export function Tooltip({ text, position = 'top', delay, children }: TooltipProps) {
  const id = useId();
  useEffect(() => {
    import('./tooltipWatch.ts').then(
      ({ watchTooltips }) => watchTooltips(),
      // Without it, tooltips still show.
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
