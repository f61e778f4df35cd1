import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { Button } from '../../ui/Button.tsx';
import styles from './ReadOnlyNote.module.css';

/** Stands where the composer was, once the conversation is another desk's. */
export function ReadOnlyNote({ onBack }: { onBack: () => void }) {
  return (
    <div className={styles.note} role="status">
      <p>{consoleTexts.notYours}</p>
      <Button look="outline" onClick={onBack}>
        {consoleTexts.backToQueue}
      </Button>
    </div>
  );
}
