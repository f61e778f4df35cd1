import type { SavedReply } from '@settee/protocol/model/savedReply';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dots } from '../../ui/Dots.tsx';
import styles from './ReplyList.module.css';
import { ReplyRow } from './ReplyRow.tsx';
import { useSavedReplies } from './useSavedReplies.ts';

type ReplyListProps = { onEdit: (reply: SavedReply) => void; onNew: () => void };

export function ReplyList({ onEdit, onNew }: ReplyListProps) {
  const { data: replies, isError, refetch } = useSavedReplies();
  const fresh = useRef<HTMLButtonElement>(null);
  // Also when returning from the form.
  useEffect(() => fresh.current?.focus(), []);

  return (
    <>
      <div className={styles.scroller}>
        {replies ? (
          replies.length > 0 ? (
            <ul className={styles.list}>
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
