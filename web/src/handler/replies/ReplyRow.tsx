import type { SavedReply } from '@settee/protocol/model/savedReply';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useRef, useState } from 'react';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { fillNodes } from '../../ui/fillNodes.tsx';
import styles from './ReplyRow.module.css';
import { useReplyChanges } from './useSavedReplies.ts';

type ReplyRowProps = { reply: SavedReply; onEdit: () => void };

/** A saved reply with its actions. Deleting asks in the same place. */
export function ReplyRow({ reply, onEdit }: ReplyRowProps) {
  const [asking, setAsking] = useState(false);
  const name = `/${reply.shortcut}`;
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.name}>
          <code dir="ltr">{name}</code>
          {reply.shared && <span className={styles.shared}>{consoleTexts.sharedMark}</span>}
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
