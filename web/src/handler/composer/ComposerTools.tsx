import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { TextCount } from '../../chat/composer/TextCount.tsx';
import type { Writing } from '../../chat/composer/useWriting.ts';
import { imageShape } from '../../chat/images/pick/imageShape.ts';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { shapes } from '../shapes.ts';
import type { Mode } from './ComposerTabs.tsx';
import styles from './ComposerTools.module.css';

type ComposerToolsProps = {
  /** An image is being checked. */
  checking: boolean;
  onImage: () => void;
  onReplies: () => void;
};

export function ComposerTools({ checking, onImage, onReplies }: ComposerToolsProps) {
  return (
    <div className={styles.tools}>
      <Tool label={texts.addImage} paths={imageShape} busy={checking} onPress={onImage} />
      <Tool label={consoleTexts.insertReply} paths={shapes.bolt} whileWriting onPress={onReplies} />
    </div>
  );
}

/** Below the text: a hint, or the length if the text is too long. */
export function ComposerHint({ id, mode, text }: { id: string; mode: Mode; text: string }) {
  return (
    <small className={styles.hint} data-mode={mode}>
      <TextCount
        text={text}
        instead={
          <span className={mode === 'reply' ? styles.keys : undefined}>
            {mode === 'reply' ? consoleTexts.staffHint : consoleTexts.noteHint}
          </span>
        }
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
  /** Hidden while the composer shows one line. */
  whileWriting?: boolean;
  onPress: () => void;
};

function Tool({ label, paths, busy = false, whileWriting = false, onPress }: ToolProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      data-while-writing={whileWriting}
      aria-label={label}
      title={label}
      aria-busy={busy}
      // Keeps the caret in the field and a phone's keyboard open.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {busy ? <Spinner size={22} /> : <Shape paths={paths} size={22} />}
    </button>
  );
}
