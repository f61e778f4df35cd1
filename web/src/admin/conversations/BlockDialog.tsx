import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { conversationAdminTexts as words } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { BlockFields, blockBody, noChoice } from '../../staff/block/BlockFields.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { staffShapes } from '../../staff/shapes.ts';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useAdmin } from '../context.ts';

type BlockDialogProps = { id: string; name: string; onClose: () => void };

/** An administrator who blocks says why: whoever asks later may be somebody else. */
export function BlockDialog({ id, name, onClose }: BlockDialogProps) {
  const { session } = useAdmin();
  const toasts = useToasts();
  const [choice, setChoice] = useState(noChoice);

  async function block(): Promise<string | undefined> {
    const answer = await session.api('setStatus', {
      params: { id },
      body: { status: 'blocked', ...blockBody(choice) },
    });
    if (!answer.ok) return answer.text || words.actionFailed;
    toasts.show({ text: fillText(words.blockedOne, { name }) });
    return undefined;
  }

  return (
    <FormDialog
      title={fillText(consoleTexts.blockTitle, { name })}
      note={consoleTexts.blockNote}
      action={words.block}
      danger
      mark={staffShapes.ban}
      onClose={onClose}
      onSubmit={block}
    >
      <BlockFields value={choice} required onChange={setChoice} />
    </FormDialog>
  );
}
