import { type RefObject, useLayoutEffect } from 'react';

/** Longer texts are paragraphs: their lines end where the space ends. */
const MOST_LINES = 4;

/** Makes short bubbles as wide as their lines, which are of similar length. Heights stay, so nothing scrolls. */
export function useSnugBubbles(pane: RefObject<HTMLElement | null>, conversationId: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another conversation has another list
  useLayoutEffect(() => {
    const log = pane.current?.querySelector<HTMLElement>('[role="log"]');
    if (!log) return;
    let width = log.clientWidth;
    const all = () => makeSnug(log, true);
    all();
    const mutations = new MutationObserver(() => makeSnug(log, false));
    mutations.observe(log, { childList: true, subtree: true });
    const sizes = new ResizeObserver(() => {
      if (log.clientWidth === width) return;
      width = log.clientWidth;
      all();
    });
    sizes.observe(log);
    document.fonts.addEventListener('loadingdone', all);
    return () => {
      mutations.disconnect();
      sizes.disconnect();
      document.fonts.removeEventListener('loadingdone', all);
    };
  }, [pane, conversationId]);
}

/** Reads all, then writes all: the browser lays out the list three times, however many bubbles there are. */
function makeSnug(log: HTMLElement, all: boolean): void {
  const words = `[data-kind="words"] p${all ? '' : ':not([data-lines])'} > [dir]`;
  const bubbles = [...log.querySelectorAll<HTMLElement>(words)].flatMap((text) => {
    const bubble = text.parentElement;
    return bubble ? [{ text, bubble }] : [];
  });
  for (const { bubble } of bubbles) {
    bubble.style.maxWidth = '';
    bubble.dataset.lines = '';
  }
  const short = bubbles
    .map((each) => ({ ...each, lines: linesOf(each.text) }))
    .filter(({ lines }) => lines > 1 && lines <= MOST_LINES);
  for (const { bubble } of short) bubble.dataset.lines = 'few';
  const widths = short.map(({ text, bubble }) => widthOf(text) + bubble.clientWidth - text.clientWidth);
  for (const [at, { bubble }] of short.entries()) bubble.style.maxWidth = `${Math.ceil(widths[at] ?? 0)}px`;
}

function linesOf(text: HTMLElement): number {
  return Math.round(text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight));
}

/** Of the longest line. */
function widthOf(text: HTMLElement): number {
  const range = document.createRange();
  range.selectNodeContents(text);
  return range.getBoundingClientRect().width;
}
