import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { Dialog } from '../staff/dialog/Dialog.tsx';
import buttons from '../staff/dialog/DialogButtons.module.css';
import { Button } from '../ui/Button.tsx';
import { useSignedIn } from './context.ts';

/** Over the chat in which the person was writing. What they still type goes nowhere, and Enter presses nothing. */
export function SignedOutDialog({ text, onSignIn }: { text: string; onSignIn: () => void }) {
  const { unsent } = useSignedIn();
  return (
    <Dialog title={consoleTexts.signedOut} held onClose={onSignIn}>
      {(close) => (
        <>
          <p
            // As an attribute: React's autoFocus would come before the dialog is open.
            ref={(note) => void note?.toggleAttribute('autofocus', true)}
            className="ink-2"
            tabIndex={-1}
          >
            {unsent.all().some((record) => record.state === 'draft' && record.text.endsWith(text)) &&
              consoleTexts.draftKept}
          </p>
          <div className={buttons.buttons}>
            <Button onClick={close}>{accountTexts.signInAgain}</Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
