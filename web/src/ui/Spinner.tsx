import { Hidden } from './Hidden.tsx';
import styles from './Spinner.module.css';

/** A rotating ring. With reduced motion it stands still. */
export function Spinner({ label, size = 32 }: { label?: string; size?: number }) {
  return (
    <span className={styles.spinner} role={label ? 'status' : undefined}>
      <svg className="drawn" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
        <circle cx="12" cy="12" r="8.5" opacity="0.3" />
        <path d="M12 3.5a8.5 8.5 0 0 1 8.5 8.5" />
      </svg>
      {label && <Hidden>{label}</Hidden>}
    </span>
  );
}
