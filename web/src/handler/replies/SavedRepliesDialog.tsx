import type { SavedReply } from '@settee/protocol/model/savedReply';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useRef, useState } from 'react';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { Dots } from '../../ui/Dots.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { fillNodes } from '../../ui/fillNodes.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useModalDialog } from '../../ui/useModalDialog.ts';
import { useConsole } from '../context.ts';
import { useCommands } from '../keys/commands.ts';
import { ReplyForm } from './ReplyForm.tsx';
import styles from './SavedRepliesDialog.module.css';
import { useReplyChanges, useSavedReplies } from './useSavedReplies.ts';

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
          aria-label={consoleTexts.closeDialog}
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

type ReplyRowProps = { reply: SavedReply; onEdit: () => void };

/** A saved reply with its actions. Deleting asks in the same place. */
function ReplyRow({ reply, onEdit }: ReplyRowProps) {
  const [asking, setAsking] = useState(false);
  const profile = useConsole().profiles.find(({ slug }) => slug === reply.profile);
  const name = `/${reply.shortcut}`;
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.name}>
          <code dir="ltr">{name}</code>
          {reply.shared && <span className={styles.shared}>{consoleTexts.sharedMark}</span>}
          {profile && (
            <span className={styles.shared}>
              <bdi>{profile.displayName}</bdi>
            </span>
          )}
        </p>
        <p className={styles.text} dir="auto">
          {reply.text}
        </p>
      </div>
      {reply.editable && !asking && (
        <div className={styles.tools}>
          <Button look="bare" aria-label={fillText(consoleTexts.editReply, { reply: name })} onClick={onEdit}>
            {consoleTexts.edit}
          </Button>
          <Button
            look="bare"
            danger
            aria-label={fillText(consoleTexts.deleteReply, { reply: name })}
            onClick={() => setAsking(true)}
          >
            {consoleTexts.delete}
          </Button>
        </div>
      )}
      {asking && <DeleteConfirmation reply={reply} onCancel={() => setAsking(false)} />}
    </li>
  );
}

function DeleteConfirmation({ reply, onCancel }: { reply: SavedReply; onCancel: () => void }) {
  const { remove } = useReplyChanges();
  const { busy, error, run } = useChange();
  const cancel = useRef<HTMLButtonElement>(null);
  useEffect(() => cancel.current?.focus(), []);

  return (
    <div className={styles.question}>
      <p>{fillNodes(consoleTexts.deleteReplyAsk, { reply: <code dir="ltr">/{reply.shortcut}</code> })}</p>
      <Button ref={cancel} look="outline" onClick={onCancel}>
        {consoleTexts.cancel}
      </Button>
      <Button look="outline" danger disabled={busy} onClick={() => void run(() => remove(reply.id))}>
        {consoleTexts.delete}
      </Button>
      <FieldError text={error} />
    </div>
  );
}
