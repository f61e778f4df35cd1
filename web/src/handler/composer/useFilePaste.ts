import { type RefObject, useEffect, useRef } from 'react';
import { pastedFiles } from '../../chat/images/pick/pastedFiles.ts';
import { takesText } from '../keys/keyPlace.ts';

/** Files that are pasted into the composer's field, or anywhere where nobody types. */
export function useFilePaste(
  field: RefObject<HTMLTextAreaElement | null>,
  onFiles: (files: File[]) => void,
): void {
  const newest = useRef(onFiles);
  newest.current = onFiles;
  useEffect(() => {
    const hear = (event: ClipboardEvent): void => {
      const { target, clipboardData } = event;
      if (!clipboardData || document.querySelector('dialog:modal')) return;
      if (target instanceof Element && target !== field.current && takesText(target)) return;
      const files = pastedFiles(clipboardData);
      if (files.length === 0) return;
      event.preventDefault();
      newest.current(files);
    };
    document.addEventListener('paste', hear);
    return () => document.removeEventListener('paste', hear);
  }, [field]);
}
