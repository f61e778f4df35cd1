import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { staffShapes } from '../shapes.ts';
import { Dialog } from './Dialog.tsx';
import buttons from './DialogButtons.module.css';
import styles from './FormDialog.module.css';
import { useSubmit } from './useSubmit.ts';

type FormDialogProps = {
  title: string;
  note?: string;
  action: string;
  danger?: boolean;
  /** The icon. Dangerous actions have a warning sign by default. */
  mark?: readonly string[];
  focusCancel?: boolean;
  /** Instead of Cancel. */
  cancel?: string;
  /** Returns an error text, or undefined on success. An empty text keeps the dialog open without an error. */
  onSubmit: () => Promise<string | undefined>;
  onClose: () => void;
  children?: ReactNode;
};

/** Stays open until the action is done, because Cancel and Escape cannot undo work in progress. */
export function FormDialog({
  title,
  note,
  action,
  danger = false,
  mark = danger ? staffShapes.warning : undefined,
  focusCancel = false,
  cancel = consoleTexts.cancel,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const { busy, error, submit } = useSubmit(onSubmit);
  return (
    <Dialog title={title} mark={mark && { paths: mark, danger }} held={busy} onClose={onClose}>
      {(close) => (
        <form onSubmit={(event) => void submit(event).then((done) => done && close())}>
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
              {cancel}
            </Button>
            {/* A disabled button would lose the focus. */}
            <Button type="submit" className={buttons.main} danger={danger} aria-disabled={busy}>
              {action}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
