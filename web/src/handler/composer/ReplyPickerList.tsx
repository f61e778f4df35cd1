import type { SavedReply } from '@settee/protocol/model/savedReply';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Writing } from '../../chat/composer/useWriting.ts';
import { Button } from '../../ui/Button.tsx';
import { useSignedIn } from '../context.ts';
import { matchReplies } from '../replies/matchReplies.ts';
import { ReplyLine } from '../replies/ReplyLine.tsx';
import {
  type Edited,
  fillReply,
  insertAt,
  insertTemporarySlash,
  replaceWord,
  type SlashWord,
  slashWordAt,
  type TemporarySlash,
  withoutTemporarySlash,
} from '../replies/slashWord.ts';
import { useChatReplies } from '../replies/useSavedReplies.ts';
import type { Mode } from './ComposerTools.tsx';
import styles from './ReplyPickerList.module.css';
import type { Caret } from './useComposerField.ts';

type ReplyPickerListProps = {
  id: string;
  picker: ReplyPicker;
  conversationId: string;
  visitorName: string;
  onManage: () => void;
};

export function optionId(listId: string, replyId: string): string {
  return `${listId}-${replyId}`;
}

/** The saved replies above the composer. The field keeps the focus. */
export function ReplyPickerList(props: ReplyPickerListProps) {
  const { id, picker, conversationId, visitorName, onManage } = props;
  const { data, isError, refetch } = useChatReplies(conversationId);
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

type Parts = {
  conversationId: string;
  field: RefObject<HTMLTextAreaElement | null>;
  mode: Mode;
  reply: Writing;
  caret: Caret;
  visitorName: string;
  /** Switches to the reply and focuses the field. */
  onReply: () => void;
};

/** Saved replies in the composer: the picker behind a slash, and replies that other panes insert. */
export function useComposerReplies(parts: Parts) {
  const { conversationId, field, mode, reply, caret, visitorName, onReply } = parts;
  const { screen } = useSignedIn();
  const { data: replies } = useChatReplies(conversationId);
  const [temporarySlash, setTemporarySlash] = useState<TemporarySlash | null>(null);
  const picker = useReplyPicker({
    text: reply.text,
    caret: mode === 'reply' ? caret.at : null,
    replies,
    onPick: (picked, word) => place(replaceWord(reply.text, word, fillReply(picked.text, visitorName))),
  });

  /** `write`, not `put`: inserting a saved reply counts as typing. */
  function place({ text, caret: at }: Edited): void {
    reply.write(text);
    caret.moveTo(at);
  }

  const lastCaret = () => (mode === 'reply' ? caret.last() : reply.text.length);

  const insert = useEffectEvent((text: string) => {
    const at = lastCaret();
    onReply();
    place(insertAt(reply.text, at, fillReply(text, visitorName)));
  });
  useEffect(() => screen.insertText.subscribe((text) => insert(text)), [screen]);

  return {
    picker,
    openPicker(): void {
      const now = { text: reply.text, caret: lastCaret() };
      const slash = insertTemporarySlash(withoutTemporarySlash(temporarySlash, now));
      onReply();
      // A temporary slash does not count as typing.
      reply.put(slash.after.text);
      caret.moveTo(slash.after.caret);
      setTemporarySlash(slash);
    },
    removeTemporarySlash(): void {
      const now = { text: reply.text, caret: caret.last() };
      const rest = withoutTemporarySlash(temporarySlash, now);
      if (rest === now) return;
      reply.put(rest.text);
      // Without focus there is no caret to move, and some browsers would focus the field again.
      if (document.activeElement === field.current) caret.moveTo(rest.caret);
      setTemporarySlash(null);
    },
  };
}

type PickerParts = {
  text: string;
  /** The caret, or null while the field has no focus. */
  caret: number | null;
  replies: readonly SavedReply[] | undefined;
  onPick: (reply: SavedReply, word: SlashWord) => void;
};

type ReplyPicker = ReturnType<typeof useReplyPicker>;

function useReplyPicker({ text, caret, replies, onPick }: PickerParts) {
  const word = useMemo(() => (caret === null ? null : slashWordAt(text, caret)), [text, caret]);
  const [dismissed, setDismissed] = useState<number | null>(null);
  const [pointed, setPointed] = useState<{ id: string; query: string } | null>(null);
  // Another slash reopens the picker.
  if (dismissed !== null && dismissed !== word?.start && caret !== null) setDismissed(null);

  const open = word !== null && dismissed !== word.start;
  const query = word?.query;
  /** Undefined while loading. */
  const matches = useMemo(
    () => (query === undefined ? [] : replies && matchReplies(replies, query)),
    [query, replies],
  );
  // After another letter the first match is active again.
  const active = matches?.find(({ id }) => pointed?.query === query && pointed?.id === id) ?? matches?.[0];

  const point = ({ id }: SavedReply): void => setPointed({ id, query: query ?? '' });

  function pick(reply: SavedReply): void {
    if (word) onPick(reply, word);
  }

  /** Closes the picker for this word; the slash is then ordinary text. */
  function dismiss(): void {
    setDismissed(word?.start ?? null);
  }

  /** True if the picker handled the key. */
  function onKeyDown(event: KeyboardEvent): boolean {
    // Also with Ctrl or ⌘: an incomplete shortcut must not be sent or close the chat.
    const modified = (event.ctrlKey || event.metaKey) && event.key !== 'Enter';
    if (!open || modified || event.altKey) return false;
    const isChoice = (event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey;
    if (event.key === 'Escape') dismiss();
    // A shortcut typed before the replies loaded must not be sent.
    else if (isChoice && event.key === 'Enter' && !matches) event.preventDefault();
    else if (isChoice && active) pick(active);
    else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && matches && active) {
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const next = matches.at((matches.indexOf(active) + step) % matches.length);
      if (next) point(next);
    } else return false;
    event.preventDefault();
    return true;
  }

  return { open, matches, active, point, pick, dismiss, onKeyDown };
}
