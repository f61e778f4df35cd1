import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ReplyLine } from '../replies/ReplyLine.tsx';
import { fillReply } from '../replies/slashWord.ts';
import { useSavedReplies } from '../replies/useSavedReplies.ts';
import styles from './ReplyPickerList.module.css';
import type { ReplyPicker } from './useReplyPicker.ts';

type ReplyPickerListProps = { id: string; picker: ReplyPicker; visitorName: string; onManage: () => void };

export function optionId(listId: string, replyId: string): string {
  return `${listId}-${replyId}`;
}

/** The saved replies above the composer. The field keeps the focus. */
export function ReplyPickerList({ id, picker, visitorName, onManage }: ReplyPickerListProps) {
  const { data, isError, refetch } = useSavedReplies();
  const { matches, active } = picker;
  const list = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll when the active reply changes
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active]);

  return (
    // A click must not take the focus from the field.
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the focus
    <div className={styles.picker} onMouseDown={(event) => event.preventDefault()}>
      {matches && matches.length > 0 ? (
        <div ref={list} id={id} className={styles.list} role="listbox" aria-label={consoleTexts.savedReplies}>
          {matches.map((reply) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
            <div
              key={reply.id}
              id={optionId(id, reply.id)}
              className={styles.option}
              role="option"
              aria-selected={reply === active}
              onMouseMove={() => reply !== active && picker.point(reply)}
              onClick={() => picker.pick(reply)}
            >
              <ReplyLine reply={{ ...reply, text: fillReply(reply.text, visitorName) }} />
            </div>
          ))}
        </div>
      ) : (
        <div className={styles.none} role="status">
          {isError && !data ? (
            <>
              <p>{consoleTexts.repliesFailed}</p>
              <Button look="bare" onClick={() => void refetch()}>
                {texts.tryAgain}
              </Button>
            </>
          ) : data?.length === 0 ? (
            <>
              <p>{consoleTexts.noReplies}</p>
              <Button look="bare" onClick={onManage}>
                {consoleTexts.newReply}
              </Button>
            </>
          ) : (
            <p>{data && consoleTexts.noReplyFits}</p>
          )}
        </div>
      )}
    </div>
  );
}
