import { consoleTexts } from '@settee/protocol/consoleTexts';
import { texts } from '@settee/protocol/texts';
import { Icon } from '../../ui/Icon.tsx';
import styles from './ComposerNotice.module.css';

export type ComposerTrouble = 'held' | 'noteFailed';

const words: Record<ComposerTrouble, string> = {
  held: consoleTexts.held,
  noteFailed: consoleTexts.noteFailed,
};

type ComposerNoticeProps = { notice: ComposerTrouble; onDismiss: () => void };

/** Why the words are still in the field. */
export function ComposerNotice({ notice, onDismiss }: ComposerNoticeProps) {
  return (
    <div className={styles.notice} data-tone={notice === 'held' ? 'lamp' : 'danger'} role="alert">
      <Icon name="alert" size={17} />
      <p>{words[notice]}</p>
      <button type="button" className={styles.dismiss} aria-label={texts.dismiss} onClick={onDismiss}>
        <Icon name="x" size={17} />
      </button>
    </div>
  );
}
