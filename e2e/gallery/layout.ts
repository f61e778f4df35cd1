import type { Page } from '@playwright/test';
import { showIn } from './showIn.ts';
import type { State } from './stage.ts';

const languages = ['de', 'ar'] as const;
const widths = [360, 1280];

/** What is wrong with the layout of the state that the page shows, in German and Arabic, at two widths. */
export async function layoutProblems(page: Page, again: State['again']): Promise<string[]> {
  const problems: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    for (const language of languages) {
      await again?.(page);
      const showEnglish = await showIn(page, language);
      await settled(page);
      const found = await page.evaluate(examineLayout);
      problems.push(...found.map((problem) => `${language}, ${width} px: ${problem}`));
      await showEnglish();
    }
  }
  return problems;
}

/** A virtual list lays out its rows one frame after a resize. Until then they overlap. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let i = 0; i < 3; i += 1) await frame();
    await Promise.allSettled(
      document.getAnimations().map(({ finished }) => Promise.race([finished, frame()])),
    );
  });
}

/**
 * Runs in the page. No control leaves its boxes, no text leaves its box or loses its beginning, no time and no label of
 * a control is cut, and no text covers another. What scrolls sideways may be wider than its box,
 * if it has a scrollbar that says so.
 */
function examineLayout(): string[] {
  const TOLERANCE_PX = 1.5;
  const CONTROLS = 'button, select, input, textarea, [data-pill], label:has(> input)';
  const problems = new Set<string>();
  const quote = (text: string) => `“${text.trim().slice(0, 40)}”`;
  const nameOf = (box: Element) => `<${box.localName} class="${box.className}">`;
  const leaves = (inner: DOMRect, outer: DOMRect) =>
    inner.left < outer.left - TOLERANCE_PX || inner.right > outer.right + TOLERANCE_PX;

  /** Not for screen readers only. */
  function isShown(element: Element): boolean {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { width, height } = at.getBoundingClientRect();
      if (getComputedStyle(at).display !== 'contents' && (width <= 1 || height <= 1)) return false;
    }
    return true;
  }

  function wordsOf(element: Node): Range {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range;
  }

  /** The boxes around an element, outwards to what scrolls sideways or is placed by itself. */
  function boxesAround(element: Element, boxes: Element[] = []): Element[] {
    const { parentElement: box } = element;
    if (!box || /absolute|fixed/.test(getComputedStyle(element).position)) return boxes;
    const { display, overflowX, scrollbarWidth } = getComputedStyle(box);
    if (/auto|scroll/.test(overflowX) && scrollbarWidth !== 'none') return boxes;
    return boxesAround(box, /^(inline|contents)$/.test(display) ? boxes : [...boxes, box]);
  }

  for (const control of [...document.querySelectorAll(CONTROLS)].filter(isShown)) {
    const { backgroundColor, boxShadow } = getComputedStyle(control);
    // Without a ground of its own, a control is as wide as its icon or its words. A preview is cut on purpose.
    const isBare =
      backgroundColor === 'rgba(0, 0, 0, 0)' && boxShadow === 'none' && control.localName === 'button';
    if (isBare && control.querySelector('[dir=auto]')) continue;
    const rect = (
      isBare ? ([...control.querySelectorAll('svg')].find(isShown) ?? wordsOf(control)) : control
    ).getBoundingClientRect();
    const box = boxesAround(control).find((each) => leaves(rect, each.getBoundingClientRect()));
    if (box) problems.add(`${quote(control.textContent || control.outerHTML)} leaves ${nameOf(box)}`);
  }

  const placed: { text: string; layer: Element | null; rects: DOMRect[] }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const holder = node.parentElement;
    if (!holder || !/\S/.test(node.data) || holder.closest('script, style, select, textarea, svg')) continue;
    if (!isShown(holder)) continue;
    const text = quote(node.data);
    const range = wordsOf(node);
    // A space may hang over the end of a line.
    const hang = getComputedStyle(holder).whiteSpace === 'pre-wrap' ? 5 : 0;
    const lines = [...range.getClientRects()]
      .map(({ x, y, width, height }) => new DOMRect(x + hang, y, width - 2 * hang, height))
      .filter(({ width }) => width > TOLERANCE_PX);
    const own = /^(inline|contents)$/.test(getComputedStyle(holder).display) ? [] : [holder];
    const boxes = [...own, ...boxesAround(holder)];
    const clip = boxes.find((box) => getComputedStyle(box).overflowX !== 'visible');
    const area = clip?.getBoundingClientRect();
    const [box] = boxes;
    if (area) {
      range.setStart(node, node.data.search(/\S/));
      range.setEnd(node, node.data.search(/\S/) + 1);
      if (leaves(range.getBoundingClientRect(), area)) problems.add(`${text} loses its beginning`);
      const isLabel = holder.closest('time, button, [data-pill]') !== null && holder.dir !== 'auto';
      if (isLabel && lines.some((line) => leaves(line, area))) problems.add(`${text} is cut`);
    } else if (box && lines.some((line) => leaves(line, box.getBoundingClientRect()))) {
      problems.add(`${text} leaves ${nameOf(box)}`);
    }
    const rows = new Set(lines.map(({ top }) => Math.round(top)));
    if (innerWidth >= 1280 && holder.closest('h1') && rows.size > 2)
      problems.add(`${text} is a title of ${rows.size} lines`);
    let layer: Element | null = holder;
    while (layer && !/absolute|fixed|sticky/.test(getComputedStyle(layer).position))
      layer = layer.parentElement;
    // What has scrolled out of sight covers nothing.
    let rects = lines;
    for (let at: Element | null = holder; at && at !== layer; at = at.parentElement) {
      if (getComputedStyle(at).overflowX === 'visible') continue;
      const window = at.getBoundingClientRect();
      rects = rects.map(({ left, right, top, bottom }) => {
        const [x, y] = [Math.max(left, window.left), Math.max(top, window.top)];
        const width = Math.max(0, Math.min(right, window.right) - x);
        return new DOMRect(x, y, width, Math.max(0, Math.min(bottom, window.bottom) - y));
      });
    }
    // A text covers only what is in its own layer: menus and sticky heads are above others on purpose.
    for (const other of placed) {
      if (other.layer !== layer) continue;
      const covers = other.rects.some((one) =>
        rects.some((two) => {
          const width = Math.min(one.right, two.right) - Math.max(one.left, two.left);
          const height = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
          return width > TOLERANCE_PX && height > Math.min(one.height, two.height) / 2;
        }),
      );
      if (covers) problems.add(`${text} covers ${other.text}`);
    }
    placed.push({ text, layer, rects });
  }
  return [...problems];
}
