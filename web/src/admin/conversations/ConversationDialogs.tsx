import type { EraseReason } from '@settee/protocol/calls/eraseCalls';
import { BLOCK_REASON_MAX } from '@settee/protocol/model/block';
import { blockTexts } from '@settee/protocol/texts/blockTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { erasureTexts } from '@settee/protocol/texts/erasureTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { BlockDialog } from '../../staff/block/BlockDialog.tsx';
import { blockBody } from '../../staff/block/BlockFields.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useAdmin } from '../context.ts';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { ReassignDialog } from './ReassignDialog.tsx';

/** Tasks on one conversation that open a dialog. */
export type Task = 'reassign' | 'block' | 'unblock' | 'erase';

type DialogProps = { id: string; name: string; onClose: () => void };
type TaskDialogProps = DialogProps & { task: Task; onDone?: () => void };

export function TaskDialog({ task, ...rest }: TaskDialogProps) {
  switch (task) {
    case 'reassign':
      return <ReassignDialog ids={[rest.id]} {...rest} />;
    case 'block':
      return <BlockConversation {...rest} />;
    case 'unblock':
      return <UnblockDialog {...rest} />;
    case 'erase':
      return <EraseDialog {...rest} />;
  }
}

function BlockConversation({ id, name, onClose }: DialogProps) {
  const { session } = useAdmin();
  return (
    <BlockDialog
      name={name}
      action={texts.block}
      reasonRequired
      onBlock={(choice) =>
        session.api('setStatus', { params: { id }, body: { status: 'blocked', ...blockBody(choice) } })
      }
      say={fillText(texts.blockedOne, { name })}
      onClose={onClose}
    />
  );
}

function UnblockDialog({ id, name, onClose }: DialogProps) {
  const { session } = useAdmin();
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={fillText(texts.unblockTitle, { name })}
      note={texts.unblockNote}
      action={texts.unblock}
      onClose={onClose}
      onSubmit={() =>
        session.api('setStatus', {
          params: { id },
          body: { status: 'open', from: 'blocked', ...blockBody({ reason, hours: undefined }) },
        })
      }
      say={fillText(texts.unblockedOne, { name })}
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

const reasons = [
  { value: '', text: erasureTexts.reasonNone },
  ...Object.entries(erasureTexts.reasons).map(([value, text]) => ({ value, text })),
];

/** Explains what is erased. The reason is one of a fixed list, because the audit log keeps it forever. */
function EraseDialog({ id, ...rest }: Omit<TaskDialogProps, 'task' | 'name'>) {
  const { session } = useAdmin();
  const [reason, setReason] = useState<EraseReason | ''>('');

  async function erase() {
    const query = reason !== '' && { query: { reason } };
    const erased = await session.api('eraseConversation', { params: { id }, ...query });
    // Another administrator erased it first.
    return erased.ok || erased.code === 'not_found' ? undefined : erasureTexts.eraseFailed;
  }

  return (
    <FormDialog
      title={erasureTexts.eraseTitle}
      note={erasureTexts.eraseNote}
      action={erasureTexts.erase}
      danger
      onSubmit={erase}
      {...rest}
    >
      <p>
        <strong>{erasureTexts.eraseFinal}</strong>
      </p>
      <Select
        label={erasureTexts.reason}
        options={reasons}
        value={reason}
        onChange={({ target }) => setReason(target.value as EraseReason | '')}
      />
    </FormDialog>
  );
}
