import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { Button } from '../../ui/Button.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import type { BatchState } from './batchRun.ts';
import forms from './forms.module.css';
import styles from './MadeLinks.module.css';
import { remainingCsv } from './remainingCsv.ts';

type RemainingProps = Pick<BatchState, 'remaining' | 'unsure'> & { onContinue: () => void };

/** What a batch that ended early did not come to: to go on with, or to take along. */
export function Remaining({ remaining, unsure, onContinue }: RemainingProps) {
  const count = remaining.length.toLocaleString('en');
  return (
    <>
      {unsure && <p className={forms.note}>{texts.remainingUnsure}</p>}
      <div className={styles.buttons}>
        <Button onClick={onContinue}>{fillText(texts.continueRemaining, { count })}</Button>
        <Button
          look="outline"
          onClick={() => saveFile(texts.remainingCsvName, remainingCsv(remaining), 'text/csv')}
        >
          {fillText(texts.downloadRemaining, { count })}
        </Button>
      </div>
    </>
  );
}
