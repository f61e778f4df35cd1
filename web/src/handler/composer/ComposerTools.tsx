import { consoleTexts } from '@settee/protocol/consoleTexts';
import { MESSAGE_TEXT_MAX } from '@settee/protocol/message';
import { texts } from '@settee/protocol/texts';
import { imageShape } from '../../chat/images/shape.ts';
import type { Writing } from '../../chat/useWriting.ts';
import { Shape } from '../../ui/Icon.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import type { Mode } from './ComposerTabs.tsx';
import styles from './ComposerTools.module.css';
import { bolt } from './shapes.ts';

type ComposerToolsProps = {
  mode: Mode;
  writing: Writing;
  /** An image is being looked at, to be put into the reply. */
  judging: boolean;
  onImage: () => void;
  onReplies: () => void;
};

/** Below the field: what can be put into a reply, and Send. */
export function ComposerTools({ mode, writing, judging, onImage, onReplies }: ComposerToolsProps) {
  const { length } = writing.text.trim();
  return (
    <div className={styles.tools} data-mode={mode}>
      {mode === 'reply' && (
        <>
          <Tool label={texts.addImage} paths={imageShape} busy={judging} onPress={onImage} />
          <Tool label={consoleTexts.insertReply} paths={bolt} onPress={onReplies} />
        </>
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
      <button type="submit" className={styles.send} data-ready={writing.ready} aria-disabled={!writing.ready}>
        {writing.busy ? texts.sending : mode === 'reply' ? texts.send : consoleTexts.noteSubmit}
      </button>
    </div>
  );
}

type ToolProps = { label: string; paths: readonly string[]; busy?: boolean; onPress: () => void };

function Tool({ label, paths, busy = false, onPress }: ToolProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      aria-busy={busy}
      // The field keeps its caret, and a phone its keyboard.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      {busy ? <Spinner size={22} /> : <Shape paths={paths} />}
    </button>
  );
}
