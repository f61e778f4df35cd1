import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { type BlockChoice, BlockFields, noChoice } from '../../staff/block/BlockFields.tsx';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { staffShapes } from '../../staff/shapes.ts';
import { Button } from '../../ui/Button.tsx';
import styles from './BlockDialog.module.css';

type BlockDialogProps = { name: string; onBlock: (choice: BlockChoice) => void; onClose: () => void };

/** Blocking is asked for twice: its button stands beside one that is pressed all day. */
export function BlockDialog({ name, onBlock, onClose }: BlockDialogProps) {
  const [choice, setChoice] = useState(noChoice);
  return (
    <Dialog
      title={fillText(consoleTexts.blockTitle, { name })}
      mark={{ paths: staffShapes.ban, danger: true }}
      onClose={onClose}
    >
      {(close) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            close();
            onBlock(choice);
          }}
        >
          <p className={styles.note}>{consoleTexts.blockNote}</p>
          <BlockFields value={choice} onChange={setChoice} />
          <div className={buttons.buttons}>
            {/* What is harmless gets the focus: React would give it before the dialog is there to hold it. */}
            <Button look="outline" ref={(button) => button?.setAttribute('autofocus', '')} onClick={close}>
              {consoleTexts.cancel}
            </Button>
            <Button type="submit" className={buttons.main} danger>
              {consoleTexts.blockConfirm}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
