import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import styles from './Dialog.module.css';

type DialogProps = {
  title: string;
  /** box: a question in the middle. sheet: a pane from the side. */
  look?: 'box' | 'sheet';
  /** Escape does not close it: something is under way, or shown only this once. */
  held?: boolean;
  onClose: () => void;
  children: (close: () => void) => ReactNode;
};

/** The browser's own: it holds the focus, closes on Escape and gives the focus back. */
export function Dialog({ title, look = 'box', held = false, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);

  function keepOpen(event: SyntheticEvent): void {
    if (held) event.preventDefault();
  }

  /** Also the key itself: a browser closes on a second Escape, whatever is said to `cancel`. */
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape') keepOpen(event);
  }

  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${styles[look]}`}
      aria-labelledby={titleId}
      onKeyDown={onKeyDown}
      onCancel={keepOpen}
      onClose={onClose}
    >
      <h2 id={titleId} className={styles.title}>
        <bdi>{title}</bdi>
      </h2>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}
