import type { EraseReason } from '@settee/protocol/calls/eraseCalls';
import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { useState } from 'react';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useAdmin } from '../context.ts';
import { Select } from '../parts/Select.tsx';

type EraseDialogProps = {
  /** Of the conversation. */
  id: string;
  onClose: () => void;
  /** It is gone: whoever shows it must show something else. */
  onErased?: () => void;
};

const reasons = [
  { value: '', text: rightsTexts.manageReasonNone },
  ...Object.entries(rightsTexts.manageReasons).map(([value, text]) => ({ value, text })),
];

/** Says what goes, and that it cannot be undone. The reason is one of a few: the log keeps it for ever. */
export function EraseDialog({ id, onClose, onErased }: EraseDialogProps) {
  const { session } = useAdmin();
  const [reason, setReason] = useState<EraseReason | ''>('');

  async function erase(): Promise<string | undefined> {
    const erased = await session.api('eraseConversation', {
      params: { id },
      ...(reason !== '' && { query: { reason } }),
    });
    // Somebody else was quicker: that is as good.
    if (!erased.ok && erased.code !== 'not_found') return rightsTexts.manageEraseFailed;
    onErased?.();
    return undefined;
  }

  return (
    <FormDialog
      title={rightsTexts.manageEraseTitle}
      note={rightsTexts.manageEraseNote}
      action={rightsTexts.manageErase}
      danger
      onClose={onClose}
      onSubmit={erase}
    >
      <p>
        <strong>{rightsTexts.manageEraseFinal}</strong>
      </p>
      <Select
        label={rightsTexts.manageReason}
        options={reasons}
        value={reason}
        onChange={({ target }) => setReason(target.value as EraseReason | '')}
      />
    </FormDialog>
  );
}
