import { createContext, useContext } from 'react';
import { createStore } from '../../browser/createStore.ts';

/** `rev` grows with each change, so a late frame about the chat before it was closed has no higher one. */
type Closed = { conversationId: string; rev: number };

/** A short message; `undo` reverts the action. */
export type Toast = {
  text: string;
  undo?: () => void;
  /** The chats that were closed, as they were before. */
  closed?: readonly Closed[];
};

type ShownToast = Toast & { number: number };

/** One toast at a time. It outlives the page that showed it. */
export type Toasts = {
  get(): ShownToast | null;
  /** The last undoable toast, even if hidden. */
  last(): Toast | null;
  show(toast: Toast): void;
  /** The open chats. A toast whose chats are all open again has nothing to undo. */
  reopened(open: readonly Closed[]): void;
  /** Ignored if another toast is shown. */
  dismiss(toast: ShownToast): void;
  subscribe(listener: () => void): () => void;
};

export function toastStore(): Toasts {
  const shown = createStore<ShownToast | null>(null);
  let last: Toast | null = null;
  let number = 0;

  function undo(toast: ShownToast, run: (() => void) | undefined): void {
    if (last === toast) last = null;
    shown.set(shown.get() === toast ? null : shown.get());
    run?.();
  }

  return {
    get: shown.get,
    last: () => last,
    show(toast) {
      number += 1;
      const undoable = toast.undo && { ...toast, undo: () => undo(next, toast.undo) };
      const next: ShownToast = { ...toast, ...undoable, number };
      if (undoable) last = next;
      shown.set(next);
    },
    reopened(open) {
      const toast = shown.get();
      const isOpen = ({ conversationId, rev }: Closed) =>
        open.some((row) => row.conversationId === conversationId && row.rev > rev);
      const isOver = ({ closed = [] }: Partial<Toast>) => closed.length > 0 && closed.every(isOpen);
      if (last && isOver(last)) last = null;
      shown.set(toast && isOver(toast) ? null : toast);
    },
    dismiss(toast) {
      if (shown.get() === toast) shown.set(null);
    },
    subscribe: shown.subscribe,
  };
}

export const ToastsContext = createContext<Toasts | null>(null);

export function useToasts(): Toasts {
  const toasts = useContext(ToastsContext);
  if (!toasts) throw new Error('A toast is shown outside of the console');
  return toasts;
}
