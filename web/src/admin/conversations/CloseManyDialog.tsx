import { conversationAdminTexts as words } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useAdmin } from '../context.ts';
import { stepsOf } from './stepsOf.ts';

type CloseManyDialogProps = { ids: readonly string[]; onClose: () => void; onDone: () => void };

export function CloseManyDialog({ ids, onClose, onDone }: CloseManyDialogProps) {
  const { session } = useAdmin();
  const toasts = useToasts();

  async function closeAll(): Promise<string | undefined> {
    let closed = 0;
    let missed = 0;
    for (const some of stepsOf(ids)) {
      const answer = await session.api('closeMany', { body: { ids: some } });
      if (!answer.ok) return answer.text || words.actionFailed;
      closed += answer.answer.closed;
      missed += answer.answer.missed.length;
    }
    const text = missed > 0 ? words.closedSome : words.closedMany;
    toasts.show({ text: fillText(text, { count: String(closed), missed: String(missed) }) });
    onDone();
    return undefined;
  }

  return (
    <FormDialog
      title={ids.length === 1 ? words.closeOne : fillText(words.closeMany, { count: String(ids.length) })}
      note={words.closeManyNote}
      action={words.close}
      onClose={onClose}
      onSubmit={closeAll}
    />
  );
}
