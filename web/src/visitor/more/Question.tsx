import { texts } from '@settee/protocol/texts/texts';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../../ui/Button.tsx';
import { useHistoryOverlay } from '../../ui/useHistoryOverlay.ts';
import dialogs from './ChangeName.module.css';
import styles from './Question.module.css';

type QuestionProps = {
  title: string;
  note: string;
  strong?: string;
  onClose: () => void;
  /** What can be done. Not to do it is the last choice, and the first that the keyboard finds. */
  children: ReactNode;
};

export function Question({ title, note, strong, onClose, children }: QuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  const id = useId();
  useEffect(() => {
    dialog.current?.showModal();
    cancel.current?.focus();
  }, []);
  useHistoryOverlay(() => dialog.current?.close());
  return (
    <dialog
      ref={dialog}
      className={dialogs.dialog}
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}note`}
      onClose={onClose}
    >
      <h2 id={`${id}title`} className={dialogs.heading}>
        {title}
      </h2>
      <div id={`${id}note`} className={styles.note}>
        <p>{note}</p>
        {strong && (
          <p>
            <strong>{strong}</strong>
          </p>
        )}
      </div>
      <div className={styles.choices}>
        {children}
        <Button ref={cancel} look="quiet" onClick={() => dialog.current?.close()}>
          {texts.codeCancel}
        </Button>
      </div>
    </dialog>
  );
}
