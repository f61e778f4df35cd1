import { BLOCK_REASON_MAX } from '@settee/protocol/model/block';
import { blockTexts } from '@settee/protocol/texts/blockTexts';
import { conversationAdminTexts as words } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { blockBody } from '../../staff/block/BlockFields.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useAdmin } from '../context.ts';
import { TextField } from '../parts/TextField.tsx';

type UnblockDialogProps = { id: string; name: string; onClose: () => void };

export function UnblockDialog({ id, name, onClose }: UnblockDialogProps) {
  const { session } = useAdmin();
  const toasts = useToasts();
  const [reason, setReason] = useState('');

  async function unblock(): Promise<string | undefined> {
    const answer = await session.api('setStatus', {
      params: { id },
      body: { status: 'open', from: 'blocked', ...blockBody({ reason, hours: undefined }) },
    });
    if (!answer.ok) return answer.text || words.actionFailed;
    toasts.show({ text: fillText(words.unblockedOne, { name }) });
    return undefined;
  }

  return (
    <FormDialog
      title={fillText(words.unblockTitle, { name })}
      note={words.unblockNote}
      action={words.unblock}
      onClose={onClose}
      onSubmit={unblock}
    >
      <TextField
        label={blockTexts.reason}
        hint={blockTexts.reasonHint}
        required
        pattern=".*\S.*"
        autoComplete="off"
        maxLength={BLOCK_REASON_MAX}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}
