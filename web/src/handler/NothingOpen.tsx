import { texts } from '@settee/protocol/texts';
import { Icon } from '../ui/Icon.tsx';
import styles from './NothingOpen.module.css';

export function NothingOpen() {
  return (
    <div className={styles.nothing}>
      <Icon name="inbox" size={40} />
      <p>{texts.queuePick}</p>
    </div>
  );
}
