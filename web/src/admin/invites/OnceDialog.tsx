import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Dialog } from '../../staff/dialog/Dialog.tsx';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import styles from './dialogs.module.css';

type OnceDialogProps = {
  title: string;
  action: string;
  /** Answers what went wrong, in words. */
  onConfirm: () => Promise<string | undefined>;
  onClose: () => void;
  /** What can be seen only now. It stays until somebody says that they have it. */
  result: ReactNode;
  children: ReactNode;
};

/** A question whose answer is shown once, in its own place. */
export function OnceDialog({ title, action, onConfirm, onClose, result, children }: OnceDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const shown = useRef<HTMLDivElement>(null);
  const done = Boolean(result);
  useEffect(() => {
    if (done) shown.current?.focus();
  }, [done]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError((await onConfirm()) ?? null);
    setBusy(false);
  }

  return (
    <Dialog title={title} held={busy || done} onClose={onClose}>
      {(close) =>
        done ? (
          <>
            <div ref={shown} className={styles.made} role="status" tabIndex={-1}>
              {result}
            </div>
            <div className={buttons.buttons}>
              <Button onClick={close}>{texts.done}</Button>
            </div>
          </>
        ) : (
          <form onSubmit={(event) => void submit(event)}>
            {children}
            <FieldError text={error} />
            <div className={buttons.buttons}>
              <Button look="outline" disabled={busy} onClick={close}>
                {consoleTexts.cancel}
              </Button>
              <Button type="submit" disabled={busy}>
                {action}
              </Button>
            </div>
          </form>
        )
      }
    </Dialog>
  );
}
