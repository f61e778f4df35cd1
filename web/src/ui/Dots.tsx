import styles from './Dots.module.css';

/** Three bouncing dots, for typing and loading. */
export function Dots() {
  return (
    <span className={styles.dots} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
