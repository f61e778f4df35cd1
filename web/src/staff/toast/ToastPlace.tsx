import { consoleTexts } from '@settee/protocol/consoleTexts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Button } from '../../ui/Button.tsx';
import styles from './ToastPlace.module.css';
import { type Toast, useToasts } from './toasts.ts';

const SHOWN_FOR_MS = 6_000;

/** A hook that gives the undo a key or a command, for as long as there is one. */
type OfferUndo = (undo: (() => void) | undefined) => void;

function noKey(): void {}

/** Where toasts come up. The region is always there: a reader announces only what changes inside a known one. */
export function ToastPlace({ useUndo = noKey }: { useUndo?: OfferUndo }) {
  const toasts = useToasts();
  const shown = useSyncExternalStore(toasts.subscribe, toasts.get);
  return (
    <div className={styles.place} role="status">
      {shown && (
        <Shown key={shown.number} toast={shown} useUndo={useUndo} onGone={() => toasts.dismiss(shown)} />
      )}
    </div>
  );
}

type ShownProps = { toast: Toast; useUndo: OfferUndo; onGone: () => void };

function Shown({ toast, useUndo, onGone }: ShownProps) {
  const pause = usePause();
  useGoing(pause.now, onGone);

  function undo(): void {
    onGone();
    toast.undo?.();
  }
  useUndo(toast.undo ? undo : undefined);

  return (
    <div className={styles.toast} {...pause.by}>
      <span>{toast.text}</span>
      {toast.undo && (
        <Button look="bare" className={styles.undo} onClick={undo}>
          {consoleTexts.undo}
        </Button>
      )}
    </div>
  );
}

/** Whoever points at it or has the focus on it is still at it. */
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

/** Counts the time down, but not while it is paused. */
function useGoing(paused: boolean, go: () => void): void {
  const left = useRef(SHOWN_FOR_MS);
  const newest = useRef(go);
  newest.current = go;
  useEffect(() => {
    if (paused) return;
    const since = performance.now();
    const timer = setTimeout(() => newest.current(), left.current);
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - since;
    };
  }, [paused]);
}
