import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type ReactNode, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { staffShapes } from '../shapes.ts';
import { type After, type AnswerOf, type Reply, useChange } from '../useChange.ts';
import { Dialog } from './Dialog.tsx';
import buttons from './DialogButtons.module.css';
import styles from './FormDialog.module.css';

export type FormDialogProps<R extends Reply> = Pick<After<R>, 'say'> & {
  title: string;
  note?: string;
  action: string;
  danger?: boolean;
  /** The icon. Dangerous actions have a warning sign by default. */
  mark?: readonly string[];
  focusCancel?: boolean;
  noValidate?: boolean;
  /** Instead of Cancel. */
  cancel?: string;
  /** Makes the change. After a problem, the dialog stays open. */
  onSubmit: () => R;
  /** Runs when the dialog has closed and returned the focus, before `onClose`. */
  onDone?: (answer: AnswerOf<R>) => unknown;
  onClose: () => void;
  children?: ReactNode;
};

/** Stays open until the action is done, because Cancel and Escape cannot undo work in progress. */
export function FormDialog<R extends Reply>({
  title,
  note,
  action,
  danger = false,
  mark = danger ? staffShapes.warning : undefined,
  focusCancel = false,
  noValidate = false,
  cancel = consoleTexts.cancel,
  onSubmit,
  say,
  onDone,
  onClose,
  children,
}: FormDialogProps<R>) {
  const { busy, error, submit } = useChange();
  const whenClosed = useRef<() => unknown>(undefined);

  function closed(): void {
    whenClosed.current?.();
    onClose();
  }

  return (
    <Dialog title={title} mark={mark && { paths: mark, danger }} held={busy} onClose={closed}>
      {(close) => (
        <form
          noValidate={noValidate}
          onSubmit={submit(onSubmit, {
            say,
            done(answer) {
              whenClosed.current = () => onDone?.(answer);
              close();
            },
          })}
        >
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
            <Button type="submit" danger={danger} aria-disabled={busy}>
              {action}
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
