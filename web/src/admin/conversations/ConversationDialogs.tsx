import type { EraseReason } from '@settee/protocol/calls/eraseCalls';
import { BLOCK_REASON_MAX } from '@settee/protocol/model/block';
import { blockTexts } from '@settee/protocol/texts/blockTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { erasureTexts } from '@settee/protocol/texts/erasureTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { BlockDialog } from '../../staff/block/BlockDialog.tsx';
import { type BlockChoice, blockBody } from '../../staff/block/BlockFields.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useAdmin } from '../context.ts';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { ReassignDialog } from './ReassignDialog.tsx';

/** Tasks on one conversation that open a dialog. */
export type Task = 'reassign' | 'block' | 'unblock' | 'erase';

type DialogProps = { id: string; name: string; onClose: () => void };
type TaskDialogProps = DialogProps & { task: Task; onErased?: () => void };

export function TaskDialog({ task, id, name, onClose, onErased }: TaskDialogProps) {
  switch (task) {
    case 'reassign':
      return <ReassignDialog ids={[id]} name={name} onClose={onClose} />;
    case 'block':
      return <BlockConversation id={id} name={name} onClose={onClose} />;
    case 'unblock':
      return <UnblockDialog id={id} name={name} onClose={onClose} />;
    case 'erase':
      return <EraseDialog id={id} onClose={onClose} {...(onErased && { onErased })} />;
  }
}

function BlockConversation({ id, name, onClose }: DialogProps) {
  const { session } = useAdmin();
  const toasts = useToasts();

  async function block(choice: BlockChoice): Promise<string | undefined> {
    const answer = await session.api('setStatus', {
      params: { id },
      body: { status: 'blocked', ...blockBody(choice) },
    });
    if (!answer.ok) return answer.text || texts.actionFailed;
    toasts.show({ text: fillText(texts.blockedOne, { name }) });
    return undefined;
  }

  return <BlockDialog name={name} action={texts.block} reasonRequired onBlock={block} onClose={onClose} />;
}

function UnblockDialog({ id, name, onClose }: DialogProps) {
  const { session } = useAdmin();
  const toasts = useToasts();
  const [reason, setReason] = useState('');

  async function unblock(): Promise<string | undefined> {
    const answer = await session.api('setStatus', {
      params: { id },
      body: { status: 'open', from: 'blocked', ...blockBody({ reason, hours: undefined }) },
    });
    if (!answer.ok) return answer.text || texts.actionFailed;
    toasts.show({ text: fillText(texts.unblockedOne, { name }) });
    return undefined;
  }

  return (
    <FormDialog
      title={fillText(texts.unblockTitle, { name })}
      note={texts.unblockNote}
      action={texts.unblock}
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

const reasons = [
  { value: '', text: erasureTexts.reasonNone },
  ...Object.entries(erasureTexts.reasons).map(([value, text]) => ({ value, text })),
];

/** Explains what is erased. The reason is one of a fixed list, because the audit log keeps it forever. */
function EraseDialog({ id, onClose, onErased }: Omit<TaskDialogProps, 'task' | 'name'>) {
  const { session } = useAdmin();
  const [reason, setReason] = useState<EraseReason | ''>('');

  async function erase(): Promise<string | undefined> {
    const erased = await session.api('eraseConversation', {
      params: { id },
      ...(reason !== '' && { query: { reason } }),
    });
    // Another administrator erased it first.
    if (!erased.ok && erased.code !== 'not_found') return erasureTexts.eraseFailed;
    onErased?.();
    return undefined;
  }

  return (
    <FormDialog
      title={erasureTexts.eraseTitle}
      note={erasureTexts.eraseNote}
      action={erasureTexts.erase}
      danger
      onClose={onClose}
      onSubmit={erase}
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
