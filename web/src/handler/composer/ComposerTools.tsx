import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type KeyboardEvent, useRef } from 'react';
import { TextCount } from '../../chat/composer/TextCount.tsx';
import type { Writing } from '../../chat/composer/useWriting.ts';
import { imageShape } from '../../chat/images/pick/imageShape.ts';
import { ActionItem, MenuButton } from '../../staff/menu/MenuButton.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { shapes } from '../shapes.ts';
import { useOnePage } from '../useOnePage.ts';
import styles from './ComposerTools.module.css';

type ComposerToolsProps = {
  /** They belong to the reply. In a note they keep their place. */
  mode: Mode;
  /** An image is being checked. */
  checking: boolean;
  onImage: () => void;
  onReplies: () => void;
};

/** Beside each other, or in a menu where the page is narrow. */
export function ComposerTools({ mode, checking, onImage, onReplies }: ComposerToolsProps) {
  const onePage = useOnePage();
  const disabled = mode === 'note';
  return (
    <div className={styles.tools}>
      {onePage ? (
        <MenuButton
          label={consoleTexts.insert}
          className="icon-button"
          disabled={disabled}
          face={checking ? <Spinner size={22} /> : <Shape paths={shapes.plus} size={22} />}
        >
          {(choose) =>
            [
              { text: texts.addImage, shape: imageShape, run: onImage },
              { text: consoleTexts.insertReply, shape: shapes.bolt, run: onReplies },
            ].map((action) => <ActionItem key={action.text} choose={choose} action={action} />)
          }
        </MenuButton>
      ) : (
        <>
          <Tool
            label={texts.addImage}
            paths={imageShape}
            busy={checking}
            disabled={disabled}
            onPress={onImage}
          />
          <Tool
            label={consoleTexts.insertReply}
            paths={shapes.bolt}
            disabled={disabled}
            onPress={onReplies}
          />
        </>
      )}
    </div>
  );
}

/** What Enter does and who sees the text, below the placeholder. */
export function ComposerHint({ mode }: { mode: Mode }) {
  return mode === 'reply' ? (
    <span className={styles.keys}>{consoleTexts.staffHint}</span>
  ) : (
    consoleTexts.noteHint
  );
}

/** In the foot: who sees a note, or the length if the text is too long. */
export function ComposerCount({ id, mode, text }: { id: string; mode: Mode; text: string }) {
  return (
    <small className={styles.hint}>
      <TextCount
        text={text}
        instead={mode === 'note' && <span data-note-hint>{consoleTexts.noteHint}</span>}
      />
      {/* For screen readers, also where the hint is not visible. */}
      <span id={id} hidden>
        {mode === 'reply' ? consoleTexts.staffHint : consoleTexts.noteHintLong}
      </span>
    </small>
  );
}

export function SendButton({ mode, writing }: { mode: Mode; writing: Writing }) {
  return (
    <button
      type="submit"
      className={styles.send}
      data-mode={mode}
      data-ready={writing.ready}
      aria-disabled={!writing.ready}
      // Keeps the caret in the field and a phone's keyboard open.
      onMouseDown={(event) => event.preventDefault()}
    >
      {writing.busy ? <Spinner size={22} /> : <Icon name={mode === 'reply' ? 'send' : 'check'} size={22} />}
      <span>{writing.busy ? texts.sending : mode === 'reply' ? texts.send : consoleTexts.noteSubmit}</span>
    </button>
  );
}

type ToolProps = {
  label: string;
  paths: readonly string[];
  busy?: boolean;
  disabled: boolean;
  onPress: () => void;
};

function Tool({ label, paths, busy = false, disabled, onPress }: ToolProps) {
  return (
    <button
      type="button"
      className="icon-button"
      data-size="sm"
      aria-label={label}
      title={label}
      aria-busy={busy}
      disabled={disabled}
      // Keeps the caret in the field and a phone's keyboard open.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {busy ? <Spinner size={20} /> : <Shape paths={paths} />}
    </button>
  );
}

export type ComposerTrouble = 'noteFailed' | 'noteNoImage';

type ComposerNoticeProps = {
  /** A known notice, or a text about a file. */
  notice: ComposerTrouble | { problem: string };
  onDismiss: () => void;
};

/** Why text stayed in the field, or why a file was not accepted. */
export function ComposerNotice({ notice, onDismiss }: ComposerNoticeProps) {
  const failed = notice === 'noteFailed' || typeof notice === 'object';
  return (
    <div className={styles.notice} data-tone={failed ? 'danger' : 'lamp'} role="alert">
      <Icon name="alert" size={17} />
      <p>{typeof notice === 'object' ? notice.problem : consoleTexts[notice]}</p>
      <button
        type="button"
        className={`icon-button ${styles.dismiss}`}
        aria-label={texts.dismiss}
        onClick={onDismiss}
      >
        <Icon name="x" size={17} />
      </button>
    </div>
  );
}

export type Mode = 'reply' | 'note';

const modes: { mode: Mode; text: string }[] = [
  { mode: 'reply', text: consoleTexts.replyTab },
  { mode: 'note', text: consoleTexts.noteTab },
];

type ComposerTabsProps = {
  mode: Mode;
  panel: string;
  /** Chosen by click, not by arrow keys. */
  onPress: (mode: Mode) => void;
  onMode: (mode: Mode) => void;
};

export function tabId(panel: string, mode: Mode): string {
  return `${panel}-${mode}`;
}

export function ComposerTabs({ mode, panel, onPress, onMode }: ComposerTabsProps) {
  const list = useRef<HTMLDivElement>(null);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    const other = mode === 'reply' ? 'note' : 'reply';
    onMode(other);
    list.current?.querySelector<HTMLElement>(`[data-mode=${other}]`)?.focus();
  }

  return (
    <div
      ref={list}
      className={styles.tabs}
      data-mode={mode}
      role="tablist"
      aria-label={consoleTexts.composerTabs}
      onKeyDown={onKeyDown}
    >
      {modes.map((each) => (
        <button
          key={each.mode}
          type="button"
          role="tab"
          id={tabId(panel, each.mode)}
          className={styles.tab}
          data-mode={each.mode}
          aria-selected={each.mode === mode}
          aria-controls={panel}
          tabIndex={each.mode === mode ? 0 : -1}
          // Keeps the focus in the field, and a phone's keyboard open.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPress(each.mode)}
        >
          <span>{each.text}</span>
          {each.mode === 'note' && <Shape paths={shapes.note} />}
        </button>
      ))}
    </div>
  );
}
