import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';

/** A thread without its notes looks like one that has none: that must be said. */
export function NotesFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice tone="danger" icon="alert">
      {consoleTexts.notesFailed}{' '}
      <Button look="bare" danger onClick={onRetry}>
        {texts.tryAgain}
      </Button>
    </Notice>
  );
}
