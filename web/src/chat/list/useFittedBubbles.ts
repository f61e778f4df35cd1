import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import bubble from './Bubble.module.css';

/**
 * Makes a bubble as wide as its longest line. CSS balances the lines, but the box keeps the width that the text had
 * before it wrapped. `rows`: measure what is new.
 */
export function useFittedBubbles(list: RefObject<HTMLElement | null>, rows: unknown): void {
  const fitted = useRef(new WeakSet<Element>());

  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows have new bubbles
  useLayoutEffect(() => {
    if (list.current) fitBubbles(list.current, fitted.current);
  }, [list, rows]);

  useEffect(() => {
    const box = list.current;
    if (!box) return;
    let width = box.clientWidth;
    function again(): void {
      for (const words of wordsIn(box)) words.style.removeProperty('width');
      fitted.current = new WeakSet();
      if (box) fitBubbles(box, fitted.current);
    }
    const observer = new ResizeObserver(() => {
      if (box.clientWidth === width) return;
      width = box.clientWidth;
      again();
    });
    observer.observe(box);
    document.fonts.addEventListener('loadingdone', again);
    return () => {
      observer.disconnect();
      document.fonts.removeEventListener('loadingdone', again);
    };
  }, [list]);
}

/** First reads all, then writes all, so that the browser computes the layout once. */
function fitBubbles(box: HTMLElement, fitted: WeakSet<Element>): void {
  const fresh = wordsIn(box).filter((words) => !fitted.has(words));
  const widths = fresh.map(lineWidth);
  fresh.forEach((words, at) => {
    fitted.add(words);
    const width = widths[at];
    if (width) words.style.width = width;
  });
}

function wordsIn(box: HTMLElement | null): HTMLElement[] {
  return [...(box?.querySelectorAll<HTMLElement>(`.${bubble.words}`) ?? [])];
}

/** In em, so that it follows the size of the text. Undefined for one line. */
function lineWidth(words: HTMLElement): string | undefined {
  const range = document.createRange();
  range.selectNodeContents(words);
  const lines = [...range.getClientRects()];
  if (lines.length < 2) return undefined;
  const left = Math.min(...lines.map((line) => line.left));
  const right = Math.max(...lines.map((line) => line.right));
  return `${Math.ceil(right - left) / Number.parseFloat(getComputedStyle(words).fontSize)}em`;
}
