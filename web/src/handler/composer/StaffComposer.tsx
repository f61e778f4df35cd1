import { consoleTexts } from '@settee/protocol/consoleTexts';
import { MESSAGE_TEXT_MAX } from '@settee/protocol/message';
import { texts } from '@settee/protocol/texts';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { ConversationState } from '../../chat/conversationState.ts';
import type { LiveConversation } from '../../chat/liveConversation.ts';
import { isComposing, useGrowingField } from '../../chat/useWriting.ts';
import { Shape } from '../../ui/Icon.tsx';
import { useCommandRegistry, useCommands } from '../keys/commands.ts';
import { fillReply } from '../replies/fillReply.ts';
import { type Edited, insertAt, replaceWord } from '../replies/slashWord.ts';
import { useSavedReplies } from '../replies/useSavedReplies.ts';
import { ComposerNotice } from './ComposerNotice.tsx';
import { ComposerTabs, type Mode, tabId } from './ComposerTabs.tsx';
import { onInsertText } from './insertText.ts';
import { type LentSlash, lendSlash, withoutLent } from './lentSlash.ts';
import { optionId, ReplyPickerList } from './ReplyPickerList.tsx';
import styles from './StaffComposer.module.css';
import { bolt } from './shapes.ts';
import { useCaret } from './useCaret.ts';
import { useGrowingWithWidth } from './useGrowingWithWidth.ts';
import { useReplyPicker } from './useReplyPicker.ts';
import { useStaffWriting } from './useStaffWriting.ts';

type StaffComposerProps = {
  conversation: LiveConversation;
  state: ConversationState;
  /** Empty for who gave none. */
  visitorName: string;
  onNote: (text: string) => Promise<void>;
  /** Of a reply only: nobody is told of a note being written. */
  onTyping: () => void;
};

/** Where the staff write: a reply to the visitor, or a note that no visitor ever sees. */
export function StaffComposer(props: StaffComposerProps) {
  const { conversation, state, visitorName, onNote, onTyping } = props;
  const commands = useCommandRegistry();
  const ids = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { mode, setMode, reply, note, notice, setNotice, send, sendAndClose } = useStaffWriting({
    field,
    conversation,
    state,
    onNote,
    onTyping,
  });
  const writing = mode === 'reply' ? reply : note;
  const { data: replies } = useSavedReplies();
  const caret = useCaret(field, writing.text);
  const [lentSlash, setLentSlash] = useState<LentSlash | null>(null);
  const picker = useReplyPicker({
    text: reply.text,
    caret: mode === 'reply' ? caret.at : null,
    replies,
    onPick: (picked, word) => put(replaceWord(reply.text, word, fillReply(picked.text, visitorName))),
  });
  useGrowingField(field, writing.text);
  useGrowingWithWidth(field);

  function put({ text, caret: at }: Edited): void {
    reply.write(text);
    caret.moveTo(at);
  }

  function writeIn(chosen: Mode): void {
    setMode(chosen);
    field.current?.focus();
  }

  function openPicker(): void {
    const now = { text: reply.text, caret: mode === 'reply' ? caret.last() : reply.text.length };
    const lent = lendSlash(withoutLent(lentSlash, now));
    writeIn('reply');
    put(lent.after);
    setLentSlash(lent);
  }

  function takeSlashBack(): void {
    const now = { text: reply.text, caret: caret.last() };
    const rest = withoutLent(lentSlash, now);
    if (rest === now) return;
    reply.write(rest.text);
    // In a field that was left there is no caret to move; some browsers would take the focus back.
    if (document.activeElement === field.current) caret.moveTo(rest.caret);
    setLentSlash(null);
  }

  function insert(text: string): void {
    const at = mode === 'reply' ? caret.last() : reply.text.length;
    writeIn('reply');
    put(insertAt(reply.text, at, fillReply(text, visitorName)));
  }

  const newestInsert = useRef(insert);
  newestInsert.current = insert;
  useEffect(() => onInsertText((text) => newestInsert.current(text)), []);

  useCommands([
    { id: 'reply', key: 'r', name: consoleTexts.keyReply, run: () => writeIn('reply') },
    { id: 'note', key: 'n', name: consoleTexts.keyNote, run: () => writeIn('note') },
    { id: 'insertReply', key: '/', name: consoleTexts.keySavedReply, run: openPicker },
    ...(mode === 'reply' && reply.ready
      ? [{ id: 'sendAndClose', name: consoleTexts.sendAndClose, run: () => void close() }]
      : []),
  ]);

  function submit(): void {
    takeSlashBack();
    void send();
  }

  async function close(): Promise<void> {
    takeSlashBack();
    if (await sendAndClose()) commands.run('close');
  }

  function manage(): void {
    takeSlashBack();
    picker.dismiss();
    commands.run('savedReplies');
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event)) return;
    if (event.key === 'Escape' && picker.open) takeSlashBack();
    if (picker.onKeyDown(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      leave(event.currentTarget);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if ((event.ctrlKey || event.metaKey) && mode === 'reply') void close();
      else submit();
    }
  }

  const label = mode === 'reply' ? consoleTexts.staffPlaceholder : consoleTexts.notePlaceholder;
  const sendLabel = mode === 'reply' ? texts.send : consoleTexts.noteSubmit;
  const panel = `${ids}-panel`;
  const list = `${ids}-list`;
  const { length } = writing.text.trim();
  return (
    <form
      className={styles.composer}
      data-mode={mode}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {notice && <ComposerNotice notice={notice} onDismiss={() => setNotice(null)} />}
      <div className={styles.box}>
        {picker.open && <ReplyPickerList id={list} picker={picker} onManage={manage} />}
        <ComposerTabs mode={mode} panel={panel} onMode={setMode} onPress={writeIn} />
        <div id={panel} role="tabpanel" aria-labelledby={tabId(panel, mode)}>
          <textarea
            ref={field}
            className={styles.field}
            rows={1}
            dir="auto"
            maxLength={MESSAGE_TEXT_MAX}
            placeholder={label}
            aria-label={label}
            aria-autocomplete={mode === 'reply' ? 'list' : undefined}
            aria-controls={picker.open ? list : undefined}
            aria-activedescendant={
              picker.open && picker.active ? optionId(list, picker.active.id) : undefined
            }
            value={writing.text}
            onChange={(event) => {
              writing.write(event.target.value);
              caret.note();
            }}
            onSelect={caret.note}
            onFocus={caret.note}
            onBlur={() => {
              caret.leave();
              takeSlashBack();
            }}
            onKeyDown={onKeyDown}
            enterKeyHint="send"
          />
        </div>
        <div className={styles.tools}>
          {mode === 'reply' && (
            <button
              type="button"
              className={styles.tool}
              aria-label={consoleTexts.insertReply}
              // The field keeps its caret, and a phone its keyboard.
              onMouseDown={(event) => event.preventDefault()}
              onClick={openPicker}
            >
              <Shape paths={bolt} />
            </button>
          )}
          <small className={styles.hint}>
            {length > MESSAGE_TEXT_MAX ? (
              <span className={styles.tooLong} role="status">
                {length}/{MESSAGE_TEXT_MAX}
              </span>
            ) : (
              consoleTexts.staffHint
            )}
          </small>
          <button
            type="submit"
            className={styles.send}
            data-ready={writing.ready}
            aria-disabled={!writing.ready}
          >
            {writing.busy ? texts.sending : sendLabel}
          </button>
        </div>
      </div>
    </form>
  );
}

/** From the field to the messages: there the single keys work, and the arrows scroll. */
function leave(field: HTMLElement): void {
  field.blur();
  document.querySelector<HTMLElement>('[role="log"]')?.focus({ preventScroll: true });
}
