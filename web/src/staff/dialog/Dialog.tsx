import { type ReactNode, type RefObject, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { Shape } from '../../ui/Icon.tsx';
import { useHistoryOverlay } from '../../ui/useHistoryOverlay.ts';
import styles from './Dialog.module.css';

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
      className={look === 'box' ? styles.dialog : `${styles.dialog} ${styles.sheet}`}
      aria-labelledby={titleId}
      onCancel={keepOpen}
      onClose={onClose}
    >
      <div className={styles.top}>
        {mark && (
          <span className={styles.mark} data-tone={mark.danger ? 'danger' : undefined}>
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
