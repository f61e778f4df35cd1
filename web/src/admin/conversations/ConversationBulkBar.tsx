import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useAdmin } from '../context.ts';
import { useChunks } from '../inChunks.ts';
import { BulkBar } from '../parts/BulkBar.tsx';
import { CONVERSATIONS_PER_CALL, ReassignDialog } from './ConversationDialogs.tsx';

/**
 * Actions for all selected conversations. It stays mounted without a selection, because an update may remove
 * every selected row while a dialog is open.
 */
export function ConversationBulkBar({ ids, onClear }: { ids: readonly string[]; onClear: () => void }) {
  // The dialog keeps the ids that were selected when it opened.
  const [asking, setAsking] = useState<{ what: 'reassign' | 'close'; ids: readonly string[] } | null>(null);
  const shared = { onClose: () => setAsking(null), onDone: onClear };
  return (
    <>
      <BulkBar count={ids.length} onClear={onClear}>
        <button type="button" onClick={() => setAsking({ what: 'reassign', ids })}>
          {adminTexts.reassign}
        </button>
        <button type="button" onClick={() => setAsking({ what: 'close', ids })}>
          {texts.close}
        </button>
      </BulkBar>
      {asking?.what === 'reassign' && <ReassignDialog ids={asking.ids} {...shared} />}
      {asking?.what === 'close' && <CloseManyDialog ids={asking.ids} {...shared} />}
    </>
  );
}

type CloseManyDialogProps = { ids: readonly string[]; onClose: () => void; onDone: () => void };

function CloseManyDialog({ ids, onClose, onDone }: CloseManyDialogProps) {
  const { session } = useAdmin();
  const callEach = useChunks(ids, CONVERSATIONS_PER_CALL);
  return (
    <FormDialog
      title={fillText(texts.closeMany, { count: ids.length })}
      note={texts.closeManyNote}
      action={texts.close}
      onSubmit={() => callEach((chunk) => session.api('closeMany', { body: { ids: chunk } }))}
      say={(answers) => {
        const count = answers.reduce((sum, { closed }) => sum + closed, 0);
        const missed = answers.reduce((sum, answer) => sum + answer.missed.length, 0);
        return fillText(missed > 0 ? texts.closedSome : texts.closedMany, { count, missed });
      }}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
