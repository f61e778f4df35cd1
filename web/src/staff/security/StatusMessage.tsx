import { Icon } from '../../ui/Icon.tsx';
import styles from './StatusMessage.module.css';

/** That something was done, where it was done. The region is always there, so that a reader hears of it. */
export function StatusMessage({ text }: { text: string | null }) {
  return (
    <div role="status">
      {text && (
        <p className={styles.said}>
          <Icon name="check" size={17} />
          {text}
        </p>
      )}
    </div>
  );
}
