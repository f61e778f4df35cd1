import { useEffect, useEffectEvent, useState } from 'react';

/** No pointer moves during a drag: should its end have passed unheard, as when its element went, that tells. */
const EVENTS = ['dragenter', 'dragover', 'dragleave', 'drop', 'pointermove'] as const;

/**
 * Takes files that are dropped anywhere on the page, unless a dialog lies over it; true while one is dragged over it.
 * Text is left alone.
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

/**
 * How many elements a dragged file is in after an event; over the page, it is in one at least. A step from one into the
 * next enters that before it leaves the first. (Where a leave leads is no help, as Safari does not tell.)
 */
export function depthAfter(depth: number, type: string): number {
  if (type === 'dragover') return depth || 1;
  return type === 'dragenter' ? depth + 1 : type === 'dragleave' && depth > 1 ? depth - 1 : 0;
}
