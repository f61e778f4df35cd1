import { consoleTexts } from '@settee/protocol/consoleTexts';
import { fillText } from '@settee/protocol/fillText';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Button } from '../../ui/Button.tsx';
import styles from './BlockDialog.module.css';

type BlockDialogProps = { name: string; onBlock: () => void; onClose: () => void };

/** Blocking is asked for twice: its button stands beside one that is pressed all day. */
export function BlockDialog({ name, onBlock, onClose }: BlockDialogProps) {
  return (
    <Dialog title={fillText(consoleTexts.blockTitle, { name })} onClose={onClose}>
      {(close) => (
        <>
          <p className={styles.note}>{consoleTexts.blockNote}</p>
          <div className={buttons.buttons}>
            {/* First, because the browser gives the first one the focus. */}
            <Button look="outline" onClick={close}>
              {consoleTexts.cancel}
            </Button>
            <Button
              className={`${buttons.main} ${buttons.danger}`}
              onClick={() => {
                close();
                onBlock();
              }}
            >
              {consoleTexts.blockConfirm}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
}
