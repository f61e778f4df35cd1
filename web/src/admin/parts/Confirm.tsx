import { adminTexts } from '@settee/protocol/adminTexts';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';

type ConfirmProps = {
  title: string;
  /** What the button says that does it. */
  action: string;
  danger?: boolean;
  onClose: () => void;
  /** Does it. What it answers is what went wrong, in words; nothing when all is well, and no word where it stays undone. */
  onConfirm: () => Promise<string | undefined>;
  children?: ReactNode;
};

/**
 * A question with one thing to do, which stays open until that is done: what is already under way
 * is not called back by Cancel or Escape, so neither may look as if it were.
 */
export function Confirm({ title, action, danger = false, onClose, onConfirm, children }: ConfirmProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function submit(event: FormEvent, close: () => void): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const wrong = await onConfirm();
    setBusy(false);
    setError(wrong ?? null);
    if (wrong === undefined) close();
  }

  return (
    <Dialog title={title} held={busy} onClose={onClose}>
      {(close) => (
        <form onSubmit={(event) => void submit(event, close)}>
          {children}
          <FieldError text={error} />
          <div className={buttons.buttons}>
            <Button look="outline" disabled={busy} onClick={close}>
              {adminTexts.cancel}
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
