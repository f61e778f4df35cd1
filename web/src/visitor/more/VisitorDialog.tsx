import { texts } from '@settee/protocol/texts/texts';
import { type ReactNode, type RefObject, useEffect, useId, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { useModalDialog } from '../../ui/useModalDialog.ts';
import styles from './VisitorDialog.module.css';

type VisitorDialogProps = {
  title: string;
  note: string;
  /** The note changes while the dialog is open. */
  noteChanges?: boolean;
  strong?: string;
  /** The label of the last button, which closes the dialog and has the initial focus. */
  closeLabel?: string;
  closeButton?: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  children: ReactNode;
};

export function VisitorDialog(props: VisitorDialogProps) {
  const { title, note, noteChanges, strong, closeLabel = texts.codeCancel, onClose, children } = props;
  const dialog = useModalDialog();
  const ownButton = useRef<HTMLButtonElement>(null);
  const closeButton = props.closeButton ?? ownButton;
  const id = useId();
  useEffect(() => closeButton.current?.focus(), [closeButton]);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}note`}
      onClose={onClose}
    >
      <h2 id={`${id}title`} className={styles.heading}>
        {title}
      </h2>
      <div id={`${id}note`} className={styles.note} role={noteChanges ? 'status' : undefined}>
        <p>{note}</p>
        {strong && (
          <p>
            <strong>{strong}</strong>
          </p>
        )}
      </div>
      <div className={styles.choices}>
        {children}
        <Button ref={closeButton} look="quiet" onClick={() => dialog.current?.close()}>
          {closeLabel}
        </Button>
      </div>
    </dialog>
  );
}
