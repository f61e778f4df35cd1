import type { OwnProfile } from '@settee/protocol/model/profile';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type KeyboardEvent, useId, useRef } from 'react';
import { isComposing, useGrowingField } from '../../chat/composer/useWriting.ts';
import { FileField, useFileDrop } from '../../chat/images/pick/FileField.tsx';
import { useImageScript } from '../../chat/images/useImageScript.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import type { Unsent } from '../../chat/model/unsent.ts';
import { ProfilePicture } from '../../staff/ProfilePicture.tsx';
import { fillNodes } from '../../ui/fillNodes.tsx';
import { keysSetting } from '../account/settings.ts';
import { useCommandRegistry, useCommands } from '../keys/commands.ts';
import {
  ComposerCount,
  ComposerHint,
  ComposerNotice,
  ComposerTabs,
  ComposerTools,
  type Mode,
  SendButton,
  tabId,
} from './ComposerTools.tsx';
import { optionId, ReplyPickerList, useComposerReplies } from './ReplyPickerList.tsx';
import styles from './StaffComposer.module.css';
import { useCaret, useFilePaste, useGrowingWithWidth } from './useComposerField.ts';
import { useStaffPicks, useStaffWriting } from './useStaffWriting.ts';

type StaffComposerProps = {
  conversation: LiveConversation;
  /** Empty if the visitor gave no name. */
  visitorName: string;
  /** As whom one replies, for a person with several profiles. */
  profile?: OwnProfile | undefined;
  onNote: (note: Unsent) => Promise<void>;
  /** Only for replies: nobody learns that a note is being written. */
  onTyping: () => void;
};

const SWITCH = { key: 'mod+i' };

/** The composer for replies to the visitor and for internal notes. */
export function StaffComposer(props: StaffComposerProps) {
  const { conversation, visitorName, profile, onNote, onTyping } = props;
  const commands = useCommandRegistry();
  const ids = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const picks = useStaffPicks(conversation);
  const { mode, setMode, reply, note, notice, setNotice, send, sendAndClose } = useStaffWriting({
    field,
    conversation,
    picks,
    onNote,
    onTyping,
  });
  const writing = mode === 'reply' ? reply : note;
  const caret = useCaret(field, writing.text);
  const conversationId = conversation.state().id;
  const { picker, openPicker, removeTemporarySlash } = useComposerReplies({
    conversationId,
    field,
    mode,
    reply,
    caret,
    visitorName,
    onReply: () => writeIn('reply'),
  });
  const over = useFileDrop(takeFiles) && mode === 'reply';
  useFilePaste(field, takeFiles);
  const showsPicks = mode === 'reply' && picks.images.length > 0;
  const images = useImageScript(showsPicks || over);
  useGrowingField(field, writing.text);
  useGrowingWithWidth(field);

  function writeIn(chosen: Mode): void {
    setMode(chosen);
    field.current?.focus();
  }

  /** Files go into the reply only. A note stays open, because its text is not for the visitor. */
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

  useCommands([
    // One key switches between reply and note.
    { ...(mode === 'note' && SWITCH), id: 'reply', name: consoleTexts.keyReply, run: () => writeIn('reply') },
    { ...(mode === 'reply' && SWITCH), id: 'note', name: consoleTexts.keyNote, run: () => writeIn('note') },
    { id: 'insertReply', name: consoleTexts.keySavedReply, run: openPicker },
    { id: 'sendImage', name: texts.addImage, run: chooseFiles },
    ...(mode === 'reply' && reply.ready
      ? // The field handles this key; the palette only lists it.
        [{ id: 'sendAndClose', key: 'mod+enter', name: consoleTexts.sendAndClose, run: () => void close() }]
      : []),
  ]);

  function submit(): void {
    removeTemporarySlash();
    void send();
  }

  async function close(): Promise<void> {
    removeTemporarySlash();
    if (await sendAndClose()) commands.run('close');
  }

  function manage(): void {
    removeTemporarySlash();
    picker.dismiss();
    commands.run('savedReplies');
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event)) return;
    if (event.key === 'Escape' && picker.open) removeTemporarySlash();
    if (picker.onKeyDown(event)) return;
    if (event.key === 'Escape') {
      // The field is empty: let the console handle Escape.
      if (event.currentTarget.value === '' && keysSetting.get()) return;
      event.preventDefault();
      leave(event.currentTarget);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if ((event.ctrlKey || event.metaKey) && mode === 'reply') void close();
      else submit();
    }
  }

  const trouble = notice ?? (picks.problem === null ? null : { problem: picks.problem });
  const label = mode === 'reply' ? consoleTexts.staffPlaceholder : consoleTexts.notePlaceholder;
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
      <div className={styles.sheet}>
        {profile && (
          <p id={`${ids}-as`} className={styles.as}>
            <ProfilePicture profile={profile} size={20} />
            <span className="cut">
              {fillNodes(consoleTexts.replyingAs, { desk: <bdi>{profile.displayName}</bdi> })}
            </span>
          </p>
        )}
        {trouble && (
          <ComposerNotice
            notice={trouble}
            onDismiss={() => {
              setNotice(null);
              picks.dismiss();
            }}
          />
        )}
        {picker.open && (
          <ReplyPickerList {...{ id: list, picker, conversationId, visitorName }} onManage={manage} />
        )}
        <div id={panel} className={styles.panel} role="tabpanel" aria-labelledby={tabId(panel, mode)}>
          {images && showsPicks && (
            <div className={styles.picks}>
              <images.PickedImages
                images={picks.images}
                onRemove={(image) => {
                  picks.remove(image);
                  field.current?.focus();
                }}
              />
            </div>
          )}
          <div className={styles.writing}>
            {/* While the reply picker is open, the field controls it as a combobox does. */}
            <textarea
              ref={field}
              className={styles.field}
              data-composer
              rows={1}
              dir="auto"
              placeholder={label}
              aria-label={label}
              aria-describedby={profile && mode === 'reply' ? `${ids}-as ${hint}` : hint}
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
                removeTemporarySlash();
              }}
              onKeyDown={onKeyDown}
              enterKeyHint="send"
            />
            <small className={styles.below} aria-hidden="true">
              <ComposerHint mode={mode} />
            </small>
          </div>
        </div>
        <div className={styles.foot}>
          <ComposerTools
            mode={mode}
            checking={picks.checking > 0}
            onImage={chooseFiles}
            onReplies={openPicker}
          />
          <ComposerTabs mode={mode} panel={panel} onMode={setMode} onPress={writeIn} />
          <ComposerCount id={hint} mode={mode} text={writing.text} />
          <SendButton mode={mode} writing={writing} />
        </div>
        <FileField input={files} onFiles={takeFiles} />
      </div>
      {images && over && (
        <div className={styles.drop}>
          <images.DropOverlay />
        </div>
      )}
    </form>
  );
}

/** Moves the focus to the messages, where arrow keys scroll. */
function leave(field: HTMLElement): void {
  field.blur();
  document.querySelector<HTMLElement>('[role="log"]')?.focus({ preventScroll: true });
}
