import { MESSAGE_TEXT_MAX } from '@settee/protocol/message';
import { texts } from '@settee/protocol/texts';
import { type KeyboardEvent, useRef } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import styles from './Composer.module.css';
import { isComposing, useGrowingField, useWriting } from './useWriting.ts';

type ComposerProps = {
  draft: string;
  onDraft: (text: string) => void;
  /** Resolves once the words are safe; until then nothing more can be sent. */
  onSend: (text: string) => Promise<void>;
  onTyping: () => void;
  /** Who has just come here to write need not press it first. */
  focusAtOnce: boolean;
};

/** Where a visitor writes. The console has its own, with more to it. */
export function Composer({ focusAtOnce, ...parts }: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, busy, ready, write, send } = useWriting({ field, ...parts });
  useGrowingField(field, text);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    void send();
  }

  return (
    <form
      className={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        className={styles.field}
        rows={1}
        dir="auto"
        maxLength={MESSAGE_TEXT_MAX}
        placeholder={texts.visitorPlaceholder}
        aria-label={texts.visitorPlaceholder}
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        enterKeyHint="send"
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for it, by giving a name
        autoFocus={focusAtOnce}
      />
      <button
        type="submit"
        className={styles.send}
        data-ready={ready}
        aria-disabled={!ready}
        aria-label={busy ? texts.sending : texts.send}
      >
        {busy ? <Spinner size={22} /> : <Icon name="send" size={22} />}
      </button>
    </form>
  );
}
