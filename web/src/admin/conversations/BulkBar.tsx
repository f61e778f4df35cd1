import { adminTexts } from '@settee/protocol/adminTexts';
import { conversationAdminTexts as words } from '@settee/protocol/conversationAdminTexts';
import { fillText } from '@settee/protocol/fillText';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import styles from './BulkBar.module.css';
import { CloseManyDialog } from './CloseManyDialog.tsx';
import { ReassignDialog } from './ReassignDialog.tsx';

/**
 * What can be done to all that is ticked. It stays in its place without any: news may take every ticked row out of
 * the list while a question about them is open, which has to stay.
 */
export function BulkBar({ ids, onClear }: { ids: readonly string[]; onClear: () => void }) {
  // The list may change under the dialog: it is about those that were ticked when it was opened.
  const [asking, setAsking] = useState<{ what: 'reassign' | 'close'; ids: readonly string[] } | null>(null);
  const shared = { onClose: () => setAsking(null), onDone: onClear };
  const count = fillText(adminTexts.selected, { count: String(ids.length) });
  return (
    <>
      {ids.length > 0 && (
        <section className={styles.bar} aria-label={count}>
          <span role="status">{count}</span>
          <Button look="outline" onClick={() => setAsking({ what: 'reassign', ids })}>
            {adminTexts.reassign}
          </Button>
          <Button look="outline" onClick={() => setAsking({ what: 'close', ids })}>
            {words.close}
          </Button>
          <Button look="bare" onClick={onClear}>
            {adminTexts.clearSelection}
          </Button>
        </section>
      )}
      {asking?.what === 'reassign' && <ReassignDialog ids={asking.ids} {...shared} />}
      {asking?.what === 'close' && <CloseManyDialog ids={asking.ids} {...shared} />}
    </>
  );
}
