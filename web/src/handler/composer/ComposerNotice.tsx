import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { Icon } from '../../ui/Icon.tsx';
import styles from './ComposerNotice.module.css';

export type ComposerTrouble = 'noteFailed' | 'noteNoImage';

type ComposerNoticeProps = {
  /** A known notice, or a text about a file. */
  notice: ComposerTrouble | { problem: string };
  onDismiss: () => void;
};

/** Why text stayed in the field, or why a file was not accepted. */
export function ComposerNotice({ notice, onDismiss }: ComposerNoticeProps) {
  const failed = notice === 'noteFailed' || typeof notice === 'object';
  return (
    <div className={styles.notice} data-tone={failed ? 'danger' : 'lamp'} role="alert">
      <Icon name="alert" size={17} />
      <p>{typeof notice === 'object' ? notice.problem : consoleTexts[notice]}</p>
      <button
        type="button"
        className={`icon-button ${styles.dismiss}`}
        aria-label={texts.dismiss}
        onClick={onDismiss}
      >
        <Icon name="x" size={17} />
      </button>
    </div>
  );
}
