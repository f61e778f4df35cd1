import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './Dialog.module.css';

type DialogProps = {
  title: string;
  /** box: a question in the middle. sheet: a pane from the side. */
  look?: 'box' | 'sheet';
  onClose: () => void;
  children: (close: () => void) => ReactNode;
};

/** The browser's own: it holds the focus, closes on Escape and gives the focus back. */
export function Dialog({ title, look = 'box', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${styles[look]}`}
      aria-labelledby={titleId}
      onClose={onClose}
    >
      <h2 id={titleId} className={styles.title}>
        <bdi>{title}</bdi>
      </h2>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}
