import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { Icon } from '../../ui/Icon.tsx';
import styles from './ComposerNotice.module.css';

export type ComposerTrouble = 'held' | 'noteFailed' | 'noteNoImage';

const noticeTexts: Record<ComposerTrouble, string> = {
  held: consoleTexts.held,
  noteFailed: consoleTexts.noteFailed,
  noteNoImage: consoleTexts.noteNoImage,
};

type ComposerNoticeProps = {
  /** One of those, or in its own words what was wrong with a file. */
  notice: ComposerTrouble | { problem: string };
  onDismiss: () => void;
};

/** Why something is still in the field, or was not taken into it. */
export function ComposerNotice({ notice, onDismiss }: ComposerNoticeProps) {
  const failed = notice === 'noteFailed' || typeof notice === 'object';
  return (
    <div className={styles.notice} data-tone={failed ? 'danger' : 'lamp'} role="alert">
      <Icon name="alert" size={17} />
      <p>{typeof notice === 'object' ? notice.problem : noticeTexts[notice]}</p>
      <button type="button" className={styles.dismiss} aria-label={texts.dismiss} onClick={onDismiss}>
        <Icon name="x" size={17} />
      </button>
    </div>
  );
}
