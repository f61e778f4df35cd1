import { lazyWithFallback } from '../lazyWithFallback.tsx';
import styles from './BellPlace.module.css';
import type { VisitorBellProps } from './VisitorBell.tsx';

const Bell = lazyWithFallback<VisitorBellProps>(() =>
  import('./VisitorBell.tsx').then((part) => part.VisitorBell),
);

/** Where a header has its bell, which comes after the page: nothing moves when it does. */
export function BellPlace(props: VisitorBellProps) {
  const bell = <Bell {...props} />;
  return props.bare ? bell : <div className={styles.place}>{bell}</div>;
}
