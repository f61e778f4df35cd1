import { useEffect, useRef, useState } from 'react';

const EVENTS = ['dragover', 'dragleave', 'drop'] as const;

/** Takes files that are dropped anywhere on the page; true while one is dragged over it. Text is left alone. */
export function useFileDrop(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const newest = useRef(onFiles);
  newest.current = onFiles;
  useEffect(() => {
    const hear = (event: DragEvent): void => {
      const { dataTransfer, type, relatedTarget } = event;
      if (!dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      // A step from one element to the next leaves the first; only out of the window leads nowhere.
      setOver(type === 'dragover' || (type === 'dragleave' && relatedTarget !== null));
      if (type === 'drop') newest.current([...dataTransfer.files]);
    };
    for (const type of EVENTS) addEventListener(type, hear);
    return () => {
      for (const type of EVENTS) removeEventListener(type, hear);
    };
  }, []);
  return over;
}
