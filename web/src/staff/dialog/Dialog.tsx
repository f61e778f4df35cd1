import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { Shape } from '../../ui/Icon.tsx';
import { useHistoryOverlay } from '../../ui/useHistoryOverlay.ts';
import styles from './Dialog.module.css';

type DialogProps = {
  title: string;
  /** What it is about: a shape beside the title, in the danger colour for what hurts. */
  mark?: { paths: readonly string[]; danger?: boolean } | undefined;
  /** box: a question in the middle. sheet: a pane from the side. */
  look?: 'box' | 'sheet';
  /** Escape does not close it: something is under way, or shown only this once. */
  held?: boolean;
  onClose: () => void;
  children: (close: () => void) => ReactNode;
};

/** The browser's own dialog: it holds the focus, closes on Escape and on Back, and gives the focus back. */
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
      className={`${styles.dialog} ${styles[look]}`}
      aria-labelledby={titleId}
      onCancel={keepOpen}
      onClose={onClose}
    >
      <div className={styles.top}>
        {mark && (
          <span className={styles.mark} data-danger={mark.danger === true}>
            <Shape paths={mark.paths} size={22} />
          </span>
        )}
        <h2 id={titleId} className={styles.title}>
          <bdi>{title}</bdi>
        </h2>
      </div>
      {children(() => dialog.current?.close())}
    </dialog>
  );
}

/**
 * Also the key itself: a browser closes on a second Escape, whatever is said to `cancel`. It is heard at the document,
 * where it comes to once the pressed button is disabled and has lost the focus; a dialog above this one has its own.
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
