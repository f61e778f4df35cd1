import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Button } from '../../ui/Button.tsx';

type PrintedProps = { onPrinted: () => void; onClose: () => void };

/** Whether the printer was told or the print cancelled, a browser keeps to itself. */
export function Printed({ onPrinted, onClose }: PrintedProps) {
  return (
    <Dialog title={texts.printedTitle} onClose={onClose}>
      {(close) => (
        <>
          <p>{texts.printedNote}</p>
          <div className={buttons.buttons}>
            <Button look="outline" onClick={close}>
              {texts.notPrinted}
            </Button>
            <Button
              className={buttons.main}
              onClick={() => {
                onPrinted();
                close();
              }}
            >
              {texts.printed}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
