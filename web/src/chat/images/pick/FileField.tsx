import { IMAGE_TYPES } from '@settee/protocol/model/media';
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';

/**
 * The types in the file dialog. Without HEIC, iPhones and Safari convert photos to JPEG. Pasted or dropped HEIC files
 * are converted here if the browser can.
 */
const IMAGE_ACCEPT = IMAGE_TYPES.join();

type FileFieldProps = { input: RefObject<HTMLInputElement | null>; onFiles: (files: File[]) => void };

/** A hidden file input, opened by a styled button. */
export function FileField({ input, onFiles }: FileFieldProps) {
  return (
    <input
      ref={input}
      type="file"
      hidden
      multiple
      accept={IMAGE_ACCEPT}
      onChange={({ currentTarget }) => {
        onFiles([...(currentTarget.files ?? [])]);
        // Allows picking the same file again.
        currentTarget.value = '';
      }}
    />
  );
}

/** The files of a paste. Office programs add an image of copied text: then the text is wanted. */
export function pastedFiles({ files, types }: Pick<DataTransfer, 'files' | 'types'>): File[] {
  return types.includes('text/html') && types.includes('text/plain') ? [] : [...files];
}

/** No pointermove fires during a drag. It reveals a drag whose end event was lost. */
const EVENTS = ['dragenter', 'dragover', 'dragleave', 'drop', 'pointermove'] as const;

/**
 * Accepts files dropped anywhere on the page, unless a dialog is open. Returns whether a file is dragged over the page.
 */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [depth, setDepth] = useState(0);
  const takeFiles = useEffectEvent(onFiles);
  useEffect(() => {
    const onDrag = (event: Event & { dataTransfer?: DataTransfer | null }): void => {
      const { type, dataTransfer } = event;
      const takes = dataTransfer?.types.includes('Files') && !document.querySelector(':modal');
      setDepth((before) => (takes ? depthAfter(before, type) : 0));
      if (!takes || !dataTransfer) return;
      event.preventDefault();
      if (type === 'drop') takeFiles([...dataTransfer.files]);
    };
    for (const type of EVENTS) addEventListener(type, onDrag);
    return () => {
      for (const type of EVENTS) removeEventListener(type, onDrag);
    };
  }, []);
  return depth > 0;
}

/** Counts nested dragenter and dragleave events. Safari does not set relatedTarget on dragleave. */
export function depthAfter(depth: number, type: string): number {
  if (type === 'dragover') return depth || 1;
  return type === 'dragenter' ? depth + 1 : type === 'dragleave' && depth > 1 ? depth - 1 : 0;
}
