import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { growField } from '../../chat/composer/useWriting.ts';
import { pastedFiles } from '../../chat/images/pick/FileField.tsx';
import { takesText } from '../keys/keyContext.ts';

export type Caret = ReturnType<typeof useCaret>;

export function useCaret(field: RefObject<HTMLTextAreaElement | null>, text: string) {
  /** Null while the field has no focus. */
  const [at, setAt] = useState<number | null>(null);
  const wanted = useRef<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the position belongs to this text
  useLayoutEffect(() => {
    if (wanted.current === null || !field.current) return;
    field.current.setSelectionRange(wanted.current, wanted.current);
    field.current.scrollTop = field.current.scrollHeight;
    setAt(wanted.current);
    wanted.current = null;
  }, [text]);

  return {
    at,
    /** The current or last position. */
    last: () => field.current?.selectionStart ?? 0,
    note(): void {
      const element = field.current;
      // A selection will be replaced by the next letter, so there is no caret.
      if (element) setAt(element.selectionStart === element.selectionEnd ? element.selectionStart : null);
    },
    leave: () => setAt(null),
    /** Applied when the current text is in the field. */
    moveTo(place: number): void {
      wanted.current = place;
    },
  };
}

/** Files pasted into the field, or on the page while no text field has the focus. */
export function useFilePaste(
  field: RefObject<HTMLTextAreaElement | null>,
  onFiles: (files: File[]) => void,
): void {
  const paste = useEffectEvent(onFiles);
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const { target, clipboardData } = event;
      if (!clipboardData || document.querySelector('dialog:modal')) return;
      if (target instanceof Element && target !== field.current && takesText(target)) return;
      const files = pastedFiles(clipboardData);
      if (files.length === 0) return;
      event.preventDefault();
      paste(files);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [field]);
}

/** The field's width changes with the window, and so do its line breaks. */
export function useGrowingWithWidth(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const element = field.current;
    if (!element) return;
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      // Growing changes only the height.
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      growField(element);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [field]);
}
