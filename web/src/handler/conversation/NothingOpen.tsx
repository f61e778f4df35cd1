import { consoleTexts } from '@settee/protocol/consoleTexts';
import { Shape } from '../../ui/Icon.tsx';
import { shapes } from '../shapes.ts';
import styles from './NothingOpen.module.css';

export function NothingOpen() {
  return (
    <div className={styles.nothing}>
      <Shape paths={shapes.inbox} size={40} />
      <p>{consoleTexts.queuePick}</p>
    </div>
  );
}
