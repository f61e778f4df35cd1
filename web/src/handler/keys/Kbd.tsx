import styles from './Kbd.module.css';
import { keyCaps } from './keyCaps.ts';

/** Keys in keyboard notation. */
export function Kbd({ keys }: { keys: readonly string[] }) {
  return (
    <span className={styles.keys}>
      {keys.flatMap(keyCaps).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}
