import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { useHistoryOverlay } from '../../ui/useHistoryOverlay.ts';
import { staffShapes } from '../shapes.ts';
import { type After, type AnswerOf, type Reply, useChange } from '../useChange.ts';
import dialogStyles from './Dialog.module.css';
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

type DialogProps = {
  title: string;
  /** An icon beside the title, red for dangerous actions. */
  mark?: { paths: readonly string[]; danger?: boolean } | undefined;
  /** box: in the middle. sheet: from the side. */
  look?: 'box' | 'sheet';
  /** Escape does not close it, because work is in progress or content is shown only once. */
  held?: boolean;
  onClose: () => void;
  children: (close: () => void) => ReactNode;
};

/** A modal dialog. It closes on Escape and Back and returns the focus. */
export function Dialog({ title, mark, look = 'box', held = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  useHeldKey(dialog, held);
  useHistoryOverlay(() => (held ? false : dialog.current?.close()));

  function keepOpen(event: SyntheticEvent): void {
    if (held) event.preventDefault();
  }

  return (
    <dialog
      ref={dialog}
      className={look === 'box' ? dialogStyles.dialog : `${dialogStyles.dialog} ${dialogStyles.sheet}`}
      aria-labelledby={titleId}
      onCancel={keepOpen}
      onClose={onClose}
    >
      <div className={dialogStyles.top}>
        {mark && (
          <span className={dialogStyles.mark} data-tone={mark.danger ? 'danger' : undefined}>
            <Shape paths={mark.paths} size={22} />
          </span>
        )}
        <h2 id={titleId} className={dialogStyles.title}>
          <bdi>{title}</bdi>
        </h2>
      </div>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}

/**
 * Prevents the key itself: browsers close a dialog on a second Escape despite `cancel`. Listens on the
 * document, because a disabled button has lost the focus. A dialog above this one has its own listener.
 */
function useHeldKey(dialog: RefObject<HTMLDialogElement | null>, held: boolean): void {
  useEffect(() => {
    if (!held) return;
    const keepOpen = (event: KeyboardEvent) => {
      const top = [...document.querySelectorAll('dialog[open]')].at(-1);
      if (event.key === 'Escape' && top === dialog.current) event.preventDefault();
    };
    document.addEventListener('keydown', keepOpen);
    return () => document.removeEventListener('keydown', keepOpen);
  }, [dialog, held]);
}
