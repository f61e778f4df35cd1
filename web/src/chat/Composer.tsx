import { MESSAGE_TEXT_MAX } from '@settee/protocol/message';
import { texts } from '@settee/protocol/texts';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import styles from './Composer.module.css';

const MAX_HEIGHT_PX = 120;

type ComposerProps = {
  look: 'visitor' | 'staff';
  placeholder: string;
  hint?: string;
  draft: string;
  onDraft: (text: string) => void;
  /** Resolves once the words are safe; until then nothing more can be sent. */
  onSend: (text: string) => Promise<void>;
  onTyping: () => void;
  /** Who has just come here to write need not press it first. */
  focusAtOnce?: boolean;
};

export function Composer(props: ComposerProps) {
  const { look, placeholder, hint, draft, onDraft, onSend, onTyping, focusAtOnce = false } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(draft);
  const [busy, setBusy] = useState(false);
  const ready = text.trim() !== '' && !busy;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what changes the height
  useLayoutEffect(() => {
    const element = field.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, MAX_HEIGHT_PX)}px`;
    element.style.overflowY = element.scrollHeight > MAX_HEIGHT_PX ? 'auto' : 'hidden';
  }, [text]);

  function write(next: string): void {
    setText(next);
    onDraft(next);
    if (next.trim() !== '') onTyping();
  }

  async function send(): Promise<void> {
    if (!ready) return;
    setBusy(true);
    write('');
    // The tap on the button took the focus; on a phone the keyboard would close.
    field.current?.focus();
    try {
      await onSend(text);
    } catch (error) {
      // Whatever it was, the words are still theirs.
      console.error('send:', error);
      write(text);
    }
    setBusy(false);
  }

  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes, Enter picks a word. Safari ends composing before the key: 229 tells.
    const composing = event.nativeEvent.isComposing || event.keyCode === 229;
    if (event.key !== 'Enter' || event.shiftKey || composing) return;
    event.preventDefault();
    void send();
  }

  return (
    <form
      className={styles.composer}
      data-look={look}
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
        placeholder={placeholder}
        aria-label={placeholder}
        value={text}
        onChange={(event) => write(event.target.value)}
        onKeyDown={onKeyDown}
        enterKeyHint="send"
        // biome-ignore lint/a11y/noAutofocus: the person has just asked for it, by giving a name
        autoFocus={focusAtOnce}
      />
      {hint && <small className={styles.hint}>{hint}</small>}
      <button
        type="submit"
        className={styles.send}
        data-ready={ready}
        aria-disabled={!ready}
        aria-label={look === 'visitor' ? (busy ? texts.sending : texts.send) : undefined}
      >
        {look === 'staff' ? (
          busy ? (
            texts.sending
          ) : (
            texts.send
          )
        ) : busy ? (
          <Spinner size={22} />
        ) : (
          <Icon name="send" size={22} />
        )}
      </button>
    </form>
  );
}
