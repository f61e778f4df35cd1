import { consoleTexts } from '@settee/protocol/consoleTexts';
import { Icon } from '../../ui/Icon.tsx';
import styles from './NothingOpen.module.css';

export function NothingOpen() {
  return (
    <div className={styles.nothing}>
      <Icon name="inbox" size={40} />
      <p>{consoleTexts.queuePick}</p>
    </div>
  );
}
