import { texts } from '@settee/protocol/texts/texts';
import { Icon } from '../../ui/Icon.tsx';
import styles from './MessageList.module.css';

/** The way back to the end for who reads above it; it says how much waits there. */
export function NewestPill({ count, onPress }: { count: number; onPress: () => void }) {
  const words = count === 0 ? undefined : `${count} ${count === 1 ? texts.newMessage : texts.newMessages}`;
  return (
    <button
      type="button"
      className={styles.pill}
      data-new={count > 0}
      aria-label={words ?? texts.toNewest}
      onClick={onPress}
    >
      <Icon name="down" size={18} />
      {words}
    </button>
  );
}
