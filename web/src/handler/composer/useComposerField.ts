import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { growField } from '../../chat/composer/useWriting.ts';
import { pastedFiles } from '../../chat/images/pick/pastedFiles.ts';
import { takesText } from '../keys/keyContext.ts';

export type Caret = {
  /** Null while the field has no focus. */
  at: number | null;
  /** Where it stands, or stood last. */
  last: () => number;
  note: () => void;
  leave: () => void;
  /** Once the text that is written now is in the field. */
  moveTo: (place: number) => void;
};

/** Where in the field somebody writes. */
export function useCaret(field: RefObject<HTMLTextAreaElement | null>, text: string): Caret {
  const [at, setAt] = useState<number | null>(null);
  const wanted = useRef<number | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what the place belongs to
  useLayoutEffect(() => {
    if (wanted.current === null || !field.current) return;
    field.current.setSelectionRange(wanted.current, wanted.current);
    field.current.scrollTop = field.current.scrollHeight;
    setAt(wanted.current);
    wanted.current = null;
  }, [text]);

  return {
    at,
    last: () => field.current?.selectionStart ?? 0,
    note() {
      const element = field.current;
      // With words selected, the next letter replaces them: no place to offer anything.
      if (element) setAt(element.selectionStart === element.selectionEnd ? element.selectionStart : null);
    },
    leave: () => setAt(null),
    moveTo(place) {
      wanted.current = place;
    },
  };
}

/** Files that are pasted into the composer's field, or anywhere where nobody types. */
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

/** Panes come and go with the window's width, and lines break elsewhere. */
export function useGrowingWithWidth(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const element = field.current;
    if (!element) return;
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      // Its own growing changes the height only.
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      growField(element);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [field]);
}
