import { Icon } from '../../ui/Icon.tsx';
import styles from './StatusMessage.module.css';

/** Confirms an action. Always mounted, so that screen readers announce it. */
export function StatusMessage({ text }: { text: string | null }) {
  return (
    <div role="status">
      {text && (
        <p className={styles.message}>
          <Icon name="check" size={17} />
          {text}
        </p>
      )}
    </div>
  );
}
