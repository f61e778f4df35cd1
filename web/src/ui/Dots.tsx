import styles from './Dots.module.css';

/** Three bouncing dots: somebody types, or messages are on their way. */
export function Dots() {
  return (
    <span className={styles.dots} aria-hidden="true">
      <i />
      <i />
      <i />
    </span>
  );
}
