import { consoleTexts } from '@settee/protocol/consoleTexts';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Dialog } from '../dialog/Dialog.tsx';
import buttons from '../dialog/DialogButtons.module.css';
import styles from './FormDialog.module.css';

type FormDialogProps = {
  title: string;
  note?: string;
  /** What the button says that does it. */
  action: string;
  danger?: boolean;
  /** Does it. What it answers is what went wrong, in words; nothing when all is well, and the dialog goes. */
  onSubmit: () => Promise<string | undefined>;
  onClose: () => void;
  children?: ReactNode;
};

/** A few fields and one thing to do, which stays open until that is done. */
export function FormDialog({ title, note, action, danger, onSubmit, onClose, children }: FormDialogProps) {
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
    <Dialog title={title} held={busy} onClose={onClose}>
      {(close) => (
        <form className={styles.form} onSubmit={(event) => void submit(event, close)}>
          {note && <p className={styles.note}>{note}</p>}
          {children}
          <FieldError text={error} />
          <div className={buttons.buttons}>
            <Button look="outline" disabled={busy} onClick={close}>
              {consoleTexts.cancel}
            </Button>
            <Button
              type="submit"
              className={[buttons.main, danger && buttons.danger].filter(Boolean).join(' ')}
              disabled={busy}
            >
              {action}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
