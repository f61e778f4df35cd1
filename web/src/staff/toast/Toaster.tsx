import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from '../../ui/Button.tsx';
import styles from './Toaster.module.css';
import { type Toast, useToasts } from './toasts.ts';

const SHOWN_FOR_MS = 10_000;

/** A hook that offers the last undo as a command. */
type OfferUndo = (last: Toast | null, isShown: boolean) => void;

function noKey(): void {}

/** Shows toasts. Always mounted: screen readers announce only changes in a known region. */
type ToasterProps = {
  useUndo?: OfferUndo;
  /** Shown on the button. */
  undoKey?: string;
};

export function Toaster({ useUndo = noKey, undoKey }: ToasterProps) {
  const toasts = useToasts();
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get);
  const last = useSyncExternalStore(toasts.subscribe, toasts.last);
  useUndo(last, shown !== null && shown === last);
  return (
    <div className={styles.place} role="status">
      {shown && (
        <ShownToast key={shown.number} toast={shown} undoKey={undoKey} onGone={() => toasts.dismiss(shown)} />
      )}
    </div>
  );
}

type ShownProps = { toast: Toast; undoKey: string | undefined; onGone: () => void };

function ShownToast({ toast, undoKey, onGone }: ShownProps) {
  const pause = usePause();
  useGoing(pause.now, onGone);

  return (
    <div className={styles.toast} data-plain={!toast.undo} {...pause.by}>
      <span>{toast.text}</span>
      {toast.undo && (
        <Button look="bare" className={styles.undo} onClick={toast.undo}>
          <span>{consoleTexts.undo}</span>
          {undoKey && <span className={`${styles.key} with-keyboard`}>({undoKey})</span>}
        </Button>
      )}
    </div>
  );
}

/** Pauses while hovered or focused. */
function usePause() {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  return {
    now: pointed || focused,
    by: {
      onPointerEnter: () => setPointed(true),
      onPointerLeave: () => setPointed(false),
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
  };
}

/** Counts down, except while paused. */
function useGoing(paused: boolean, go: () => void): void {
  const left = useRef(SHOWN_FOR_MS);
  const end = useEffectEvent(go);
  useEffect(() => {
    if (paused) return;
    const since = performance.now();
    const timer = setTimeout(() => end(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - since;
    };
  }, [paused]);
}
