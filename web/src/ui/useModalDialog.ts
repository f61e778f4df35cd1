import { type RefObject, useEffect, useRef } from 'react';
import { useHistoryOverlay } from './useHistoryOverlay.ts';

/** Opens a dialog as modal when it mounts. Escape and Back close it. */
export function useModalDialog(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  useHistoryOverlay(() => dialog.current?.close());
  return dialog;
}
