import { later } from '../later.tsx';
import type { BellProps } from './Bell.tsx';
import styles from './BellPlace.module.css';

const Bell = later<BellProps>(() => import('./Bell.tsx').then((part) => part.Bell));

/** Where a header has its bell, which comes after the page: nothing moves when it does. */
export function BellPlace(props: BellProps) {
  return (
    <div className={styles.place}>
      <Bell {...props} />
    </div>
  );
}
