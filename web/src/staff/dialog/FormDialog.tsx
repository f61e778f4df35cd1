import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { staffShapes } from '../shapes.ts';
import { Dialog } from './Dialog.tsx';
import buttons from './DialogButtons.module.css';
import styles from './FormDialog.module.css';

type FormDialogProps = {
  title: string;
  note?: string;
  /** What the button says that does it. */
  action: string;
  danger?: boolean;
  /** The shape beside the title; without one, what is dangerous has a warning sign. */
  mark?: readonly string[];
  focusCancel?: boolean;
  /** Does it. What it answers is what went wrong, in words; nothing when all is well, and no word where it stays undone. */
  onSubmit: () => Promise<string | undefined>;
  onClose: () => void;
  /** What is asked or said besides, one below the other. */
  children?: ReactNode;
};

/**
 * A question with one thing to do, which stays open until that is done: what is already under way
 * is not called back by Cancel or Escape, so neither may look as if it were.
 */
export function FormDialog({
  title,
  note,
  action,
  danger = false,
  mark = danger ? staffShapes.warning : undefined,
  focusCancel = false,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function submit(event: FormEvent, close: () => void): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(null);
    const wrong = await onSubmit();
    setBusy(false);
    if (wrong === undefined) close();
    else setError(wrong);
  }

  return (
    <Dialog title={title} mark={mark && { paths: mark, danger }} held={busy} onClose={onClose}>
      {(close) => (
        <form onSubmit={(event) => void submit(event, close)}>
          {note && <p className={styles.note}>{note}</p>}
          {children && <div className={styles.fields}>{children}</div>}
          <FieldError text={error} />
          <div className={buttons.buttons}>
            <Button
              look="outline"
              // As an attribute: React's autoFocus would come before the dialog is open.
              ref={(button) => void button?.toggleAttribute('autofocus', focusCancel)}
              disabled={busy}
              onClick={close}
            >
              {consoleTexts.cancel}
            </Button>
            <Button type="submit" className={buttons.main} danger={danger} disabled={busy}>
              {action}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
