import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { FormDialog } from '../dialog/FormDialog.tsx';
import { staffShapes } from '../shapes.ts';
import type { Reply } from '../useChange.ts';
import { type BlockChoice, BlockFields, noChoice } from './BlockFields.tsx';

type BlockDialogProps = {
  name: string;
  action: string;
  /** Administrators must give a reason, because another administrator may ask for it later. */
  reasonRequired?: boolean;
  onBlock: (choice: BlockChoice) => Reply;
  say?: string;
  onClose: () => void;
};

export function BlockDialog({ name, reasonRequired = false, onBlock, ...rest }: BlockDialogProps) {
  const [choice, setChoice] = useState(noChoice);
  return (
    <FormDialog
      title={fillText(consoleTexts.blockTitle, { name })}
      note={consoleTexts.blockNote}
      danger
      mark={staffShapes.ban}
      // The handler's Block button is next to one that is pressed all day: Enter must not block.
      focusCancel={!reasonRequired}
      onSubmit={() => onBlock(choice)}
      {...rest}
    >
      <BlockFields value={choice} required={reasonRequired} onChange={setChoice} />
    </FormDialog>
  );
}
