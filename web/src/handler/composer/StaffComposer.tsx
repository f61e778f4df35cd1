import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { isComposing, useGrowingField } from '../../chat/composer/useWriting.ts';
import { FileField } from '../../chat/images/pick/FileField.tsx';
import { useFileDrop } from '../../chat/images/pick/useFileDrop.ts';
import { useImageScript } from '../../chat/images/useImageScript.ts';
import type { ConversationState } from '../../chat/model/conversationState.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { keysSetting } from '../account/settings.ts';
import { useCommandRegistry, useCommands } from '../keys/commands.ts';
import {
  type Edited,
  fillReply,
  insertAt,
  insertTemporarySlash,
  replaceWord,
  type TemporarySlash,
  withoutTemporarySlash,
} from '../replies/slashWord.ts';
import { useSavedReplies } from '../replies/useSavedReplies.ts';
import { ComposerNotice } from './ComposerNotice.tsx';
import { ComposerTabs, type Mode, tabId } from './ComposerTabs.tsx';
import { ComposerHint, ComposerTools, SendButton } from './ComposerTools.tsx';
import { onInsertText } from './insertText.ts';
import { optionId, ReplyPickerList } from './ReplyPickerList.tsx';
import styles from './StaffComposer.module.css';
import { useCaret, useFilePaste, useGrowingWithWidth } from './useCaret.ts';
import { useReplyPicker } from './useReplyPicker.ts';
import { useStaffPicks } from './useStaffPicks.ts';
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

const SWITCH = { key: 'mod+i' };

/** Where the staff write: a reply to the visitor, or a note that no visitor ever sees. */
export function StaffComposer(props: StaffComposerProps) {
  const { conversation, state, visitorName, onNote, onTyping } = props;
  const commands = useCommandRegistry();
  const ids = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const picks = useStaffPicks(conversation);
  const { mode, setMode, reply, note, notice, setNotice, send, sendAndClose } = useStaffWriting({
    field,
    conversation,
    state,
    picks,
    onNote,
    onTyping,
  });
  const writing = mode === 'reply' ? reply : note;
  const { data: replies } = useSavedReplies();
  const caret = useCaret(field, writing.text);
  const [temporarySlash, setTemporarySlash] = useState<TemporarySlash | null>(null);
  const picker = useReplyPicker({
    text: reply.text,
    caret: mode === 'reply' ? caret.at : null,
    replies,
    onPick: (picked, word) => place(replaceWord(reply.text, word, fillReply(picked.text, visitorName))),
  });
  const over = useFileDrop(takeFiles) && mode === 'reply';
  useFilePaste(field, takeFiles);
  const showsPicks = mode === 'reply' && picks.images.length > 0;
  const images = useImageScript(showsPicks || over);
  useGrowingField(field, writing.text);
  useGrowingWithWidth(field);

  /** A saved reply. The other side is told: it is as good as typed. */
  function place({ text, caret: at }: Edited): void {
    reply.write(text);
    caret.moveTo(at);
  }

  function writeIn(chosen: Mode): void {
    setMode(chosen);
    field.current?.focus();
  }

  /** Into the reply only. Who writes a note stays at it: what is typed next is not for the visitor. */
  function takeFiles(taken: readonly File[]): void {
    setNotice(mode === 'note' ? 'noteNoImage' : null);
    if (mode === 'note') return;
    picks.add(taken);
    field.current?.focus();
  }

  function chooseFiles(): void {
    writeIn('reply');
    files.current?.click();
  }

  function openPicker(): void {
    const now = { text: reply.text, caret: mode === 'reply' ? caret.last() : reply.text.length };
    const lent = insertTemporarySlash(withoutTemporarySlash(temporarySlash, now));
    writeIn('reply');
    // A slash that was only lent is nothing that anybody types.
    reply.put(lent.after.text);
    caret.moveTo(lent.after.caret);
    setTemporarySlash(lent);
  }

  function takeSlashBack(): void {
    const now = { text: reply.text, caret: caret.last() };
    const rest = withoutTemporarySlash(temporarySlash, now);
    if (rest === now) return;
    reply.put(rest.text);
    // In a field that was left there is no caret to move; some browsers would take the focus back.
    if (document.activeElement === field.current) caret.moveTo(rest.caret);
    setTemporarySlash(null);
  }

  function insert(text: string): void {
    const at = mode === 'reply' ? caret.last() : reply.text.length;
    writeIn('reply');
    place(insertAt(reply.text, at, fillReply(text, visitorName)));
  }

  const newestInsert = useRef(insert);
  newestInsert.current = insert;
  useEffect(() => onInsertText((text) => newestInsert.current(text)), []);

  useCommands([
    // One key leads from each to the other.
    { ...(mode === 'note' && SWITCH), id: 'reply', name: consoleTexts.keyReply, run: () => writeIn('reply') },
    { ...(mode === 'reply' && SWITCH), id: 'note', name: consoleTexts.keyNote, run: () => writeIn('note') },
    { id: 'insertReply', name: consoleTexts.keySavedReply, run: openPicker },
    { id: 'sendImage', name: texts.addImage, run: chooseFiles },
    ...(mode === 'reply' && reply.ready
      ? // The field itself hears the key; the palette names it.
        [{ id: 'sendAndClose', key: 'mod+enter', name: consoleTexts.sendAndClose, run: () => void close() }]
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
      // Nothing is written: the console's own Esc leads back at once.
      if (event.currentTarget.value === '' && keysSetting.get()) return;
      event.preventDefault();
      leave(event.currentTarget);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if ((event.ctrlKey || event.metaKey) && mode === 'reply') void close();
      else submit();
    }
  }

  const label = mode === 'reply' ? consoleTexts.staffPlaceholder : consoleTexts.notePlaceholder;
  const trouble = notice ?? (picks.problem === null ? null : { problem: picks.problem });
  const panel = `${ids}-panel`;
  const list = `${ids}-list`;
  const hint = `${ids}-hint`;
  return (
    <form
      className={styles.composer}
      data-mode={mode}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {trouble && (
        <ComposerNotice
          notice={trouble}
          onDismiss={() => {
            setNotice(null);
            picks.dismiss();
          }}
        />
      )}
      <div className={styles.row}>
        {picker.open && (
          <ReplyPickerList id={list} picker={picker} visitorName={visitorName} onManage={manage} />
        )}
        {mode === 'reply' && (
          <ComposerTools judging={picks.judging > 0} onImage={chooseFiles} onReplies={openPicker} />
        )}
        <div className={styles.sheet}>
          <div id={panel} className={styles.panel} role="tabpanel" aria-labelledby={tabId(panel, mode)}>
            {images && showsPicks && (
              <div className={styles.picks}>
                <images.Picked
                  images={picks.images}
                  onRemove={(image) => {
                    picks.remove(image);
                    field.current?.focus();
                  }}
                />
              </div>
            )}
            <textarea
              ref={field}
              className={styles.field}
              data-composer
              rows={1}
              dir="auto"
              placeholder={label}
              aria-label={label}
              aria-describedby={hint}
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
          <div className={styles.foot}>
            <ComposerHint id={hint} mode={mode} text={writing.text} />
            <ComposerTabs mode={mode} panel={panel} onMode={setMode} onPress={writeIn} />
          </div>
        </div>
        <SendButton mode={mode} writing={writing} />
        <FileField input={files} onFiles={takeFiles} />
      </div>
      {images && over && (
        <div className={styles.drop}>
          <images.DropHere />
        </div>
      )}
    </form>
  );
}

/** From the field to the messages, where the arrows scroll. */
function leave(field: HTMLElement): void {
  field.blur();
  document.querySelector<HTMLElement>('[role="log"]')?.focus({ preventScroll: true });
}
