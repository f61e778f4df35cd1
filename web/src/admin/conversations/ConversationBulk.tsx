import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { conversationAdminTexts as words } from '@settee/protocol/texts/conversationAdminTexts';
import { useState } from 'react';
import { BulkBar } from '../parts/BulkBar.tsx';
import { CloseManyDialog } from './CloseManyDialog.tsx';
import { ReassignDialog } from './ReassignDialog.tsx';

/**
 * What can be done to all selected conversations. It stays mounted without any: news may take every selected row out
 * of the list while a dialog about them is open, which has to stay.
 */
export function ConversationBulk({ ids, onClear }: { ids: readonly string[]; onClear: () => void }) {
  // The list may change behind the dialog: it is about those that were selected when it was opened.
  const [asking, setAsking] = useState<{ what: 'reassign' | 'close'; ids: readonly string[] } | null>(null);
  const shared = { onClose: () => setAsking(null), onDone: onClear };
  return (
    <>
      <BulkBar count={ids.length} onClear={onClear}>
        <button type="button" onClick={() => setAsking({ what: 'reassign', ids })}>
          {adminTexts.reassign}
        </button>
        <button type="button" onClick={() => setAsking({ what: 'close', ids })}>
          {words.close}
        </button>
      </BulkBar>
      {asking?.what === 'reassign' && <ReassignDialog ids={asking.ids} {...shared} />}
      {asking?.what === 'close' && <CloseManyDialog ids={asking.ids} {...shared} />}
    </>
  );
}
