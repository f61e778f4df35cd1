import { useEffect, useEffectEvent, useState } from 'react';

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
