import { texts } from '@settee/protocol/texts/texts';
import { type KeyboardEvent, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { FileField, pastedFiles, useFileDrop } from '../images/pick/FileField.tsx';
import { imageShape } from '../images/pick/imageShape.ts';
import { hasPicks, usePicks } from '../images/pick/pickStore.ts';
import type { Uploads } from '../images/upload/upload.ts';
import { useImageScript } from '../images/useImageScript.ts';
import type { Unsent } from '../model/unsent.ts';
import type { Draft } from '../outbox/draft.ts';
import styles from './Composer.module.css';
import { TextCount } from './TextCount.tsx';
import { isComposing, useGrowingField, useWriting } from './useWriting.ts';

type ComposerProps = {
  draft: Draft;
  /** Resolves when the text is in the outbox. Until then nothing more can be sent. */
  onSend: (taken: Unsent) => Promise<void>;
  openUploads: () => Promise<Uploads>;
  onTyping: () => void;
  focusAtOnce: boolean;
};

/** The visitor's composer. The console has its own. */
export function Composer({ focusAtOnce, onSend, openUploads, ...parts }: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const picks = usePicks();
  const hasImages = picks.images.length > 0;
  const over = useFileDrop(picks.add);
  const script = useImageScript(hasImages || over);
  const { text, busy, ready, write, send } = useWriting({
    field,
    hasMore: hasPicks(picks),
    whenChecked: picks.whenChecked,
    async onSend(taken) {
      await picks.handTo(openUploads);
      if (taken) await onSend(taken);
    },
    ...parts,
  });
  useGrowingField(field, text);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    void send();
  }

  return (
    <>
      {picks.problem && <Notice tone="danger">{picks.problem}</Notice>}
      <form
        className={styles.composer}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {script && hasImages && (
          <script.PickedImages
            images={picks.images}
            onRemove={(image) => {
              picks.remove(image);
              field.current?.focus();
            }}
          />
        )}
        <Button
          look="round"
          className={styles.add}
          aria-label={texts.addImage}
          onClick={() => input.current?.click()}
        >
          {picks.checking > 0 ? <Spinner size={24} /> : <Shape paths={imageShape} size={24} />}
        </Button>
        <FileField
          input={input}
          onFiles={(files) => {
            picks.add(files);
            // Enter in the field sends. On the button it would open the file dialog again.
            field.current?.focus();
          }}
        />
        <textarea
          ref={field}
          className={styles.field}
          rows={1}
          dir="auto"
          placeholder={texts.visitorPlaceholder}
          aria-label={texts.visitorPlaceholder}
          value={text}
          onChange={(event) => {
            picks.dismiss();
            write(event.target.value);
          }}
          onPaste={(event) => {
            const files = pastedFiles(event.clipboardData);
            if (files.length === 0) return;
            event.preventDefault();
            picks.add(files);
          }}
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
        <TextCount text={text} />
      </form>
      {script && over && <script.DropOverlay />}
    </>
  );
}
