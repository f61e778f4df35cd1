import { type RefObject, useEffect } from 'react';
import { growField } from '../../chat/composer/useWriting.ts';

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
