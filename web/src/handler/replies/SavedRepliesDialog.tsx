import type { SavedReply } from '@settee/protocol/model/savedReply';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dots } from '../../ui/Dots.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useModalDialog } from '../../ui/useModalDialog.ts';
import { useCommands } from '../keys/commands.ts';
import { ReplyForm } from './ReplyForm.tsx';
import { ReplyRow } from './ReplyRow.tsx';
import styles from './SavedRepliesDialog.module.css';
import { useSavedReplies } from './useSavedReplies.ts';

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
          className="icon-button"
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

type ReplyListProps = { onEdit: (reply: SavedReply) => void; onNew: () => void };

function ReplyList({ onEdit, onNew }: ReplyListProps) {
  const { data: replies, isError, refetch } = useSavedReplies();
  const fresh = useRef<HTMLButtonElement>(null);
  // Also when returning from the form.
  useEffect(() => fresh.current?.focus(), []);

  return (
    <>
      <div className={styles.scroller}>
        {replies ? (
          replies.length > 0 ? (
            <ul>
              {replies.map((reply) => (
                <ReplyRow key={reply.id} reply={reply} onEdit={() => onEdit(reply)} />
              ))}
            </ul>
          ) : (
            <p className={styles.state}>{consoleTexts.noReplies}</p>
          )
        ) : isError ? (
          <div className={styles.state} role="alert">
            <p>{consoleTexts.repliesFailed}</p>
            <Button look="outline" onClick={() => void refetch()}>
              {texts.tryAgain}
            </Button>
          </div>
        ) : (
          <div className={styles.state}>
            <Dots />
          </div>
        )}
      </div>
      <footer className={styles.footer}>
        <Button ref={fresh} onClick={onNew}>
          {consoleTexts.newReply}
        </Button>
      </footer>
    </>
  );
}

/** Offers the command that opens the saved replies. */
export function SavedReplies() {
  const [open, setOpen] = useState(false);
  useCommands([{ id: 'savedReplies', name: consoleTexts.savedReplies, run: () => setOpen(true) }]);
  return open && <SavedRepliesDialog onClose={() => setOpen(false)} />;
}
