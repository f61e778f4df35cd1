import type { SavedReply } from '@settee/protocol/model/savedReply';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useState } from 'react';
import { Icon } from '../../ui/Icon.tsx';
import { useModalDialog } from '../../ui/useModalDialog.ts';
import { useCommands } from '../keys/commands.ts';
import { ReplyForm } from './ReplyForm.tsx';
import { ReplyList } from './ReplyList.tsx';
import styles from './SavedRepliesDialog.module.css';

function SavedRepliesDialog({ onClose }: { onClose: () => void }) {
  const dialog = useModalDialog();
  const [editing, setEditing] = useState<SavedReply | 'new' | null>(null);

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="saved-replies"
      onClose={onClose}
      onCancel={(event) => {
        if (editing === null) return;
        // In the form, Escape goes back to the list.
        event.preventDefault();
        setEditing(null);
      }}
    >
      <header className={styles.header}>
        <h2 id="saved-replies">{consoleTexts.savedReplies}</h2>
        <button
          type="button"
          className={styles.close}
          aria-label={consoleTexts.close}
          onClick={() => dialog.current?.close()}
        >
          <Icon name="x" />
        </button>
      </header>
      {editing === null ? (
        <ReplyList onEdit={setEditing} onNew={() => setEditing('new')} />
      ) : (
        <ReplyForm reply={editing === 'new' ? null : editing} onDone={() => setEditing(null)} />
      )}
    </dialog>
  );
}

export function SavedReplies() {
  const [open, setOpen] = useState(false);
  useCommands([{ id: 'savedReplies', name: consoleTexts.savedReplies, run: () => setOpen(true) }]);
  return open && <SavedRepliesDialog onClose={() => setOpen(false)} />;
}
