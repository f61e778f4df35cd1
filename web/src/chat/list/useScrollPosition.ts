import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Nearer to the end than this, the reader follows the conversation; farther, they read back. */
const NEAR_END_PX = 100;

/** How much of what was read stays in sight above the first unread message. */
const ABOVE_UNREAD_PX = 72;

type Place = 'end' | 'near' | 'far';
type ScrollPosition = {
  /** end: following; near: less than a screen away; far: more. */
  place: Place;
  toEnd: () => void;
  /** Puts everything where it belongs again: at the end, for who follows. */
  follow: () => void;
  scrolled: () => void;
  /** Number of the last message in sight. */
  lastInSight: () => number;
};

type Options = {
  /** True once the list is complete enough to take its first position. */
  ready: boolean;
  /** Where to open: the line above the first unread message; at the end without one. */
  openAt: RefObject<HTMLElement | null>;
  /** Changes with everything that may change the height. */
  content: unknown;
  /** The key of an own message just written: that always shows. */
  ownNewest: string | undefined;
  /** Takes a place of its own, and tells whether it did. Asked after each drawing; another function, another wish. */
  goTo: ((box: HTMLElement) => boolean) | undefined;
  /** Set while the list does not reach the newest message: there is no end to follow then. */
  toNewest: (() => void) | undefined;
};

/**
 * Keeps a list at its end while the reader is near it, and what they read in its place otherwise: also when older
 * messages are put before it, or the space changes (keyboard, growing composer, a picture that arrives).
 */
export function useScrollPosition(
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  { ready, openAt, content, ownNewest, goTo, toNewest }: Options,
): ScrollPosition {
  const following = useRef(true);
  /** The first message in sight, and where its top stood under the list's. */
  const anchor = useRef<{ element: HTMLElement; top: number } | null>(null);
  const wrote = useRef(ownNewest);
  /** Where the box stood when it was last looked at. */
  const lastTop = useRef(0);
  const opened = useRef(false);
  const away = toNewest !== undefined;
  const [place, setPlace] = useState<Place>('end');

  const note = useCallback(() => {
    const box = scroller.current;
    if (!box || !list.current) return;
    const left = leftBelow(box);
    following.current = !away && left <= NEAR_END_PX;
    lastTop.current = box.scrollTop;
    let first: Element | null | undefined = firstChild(
      list.current,
      (child) => child.offsetTop + child.offsetHeight > box.scrollTop,
    );
    // A message, not the dots or labels above it, which older pages leave where they are.
    while (first && !(first as HTMLElement).dataset.key) first = first.nextElementSibling;
    const element = first as HTMLElement | null | undefined;
    anchor.current = element ? { element, top: element.offsetTop - box.scrollTop } : null;
    setPlace(following.current ? 'end' : !away && left < box.clientHeight ? 'near' : 'far');
  }, [scroller, list, away]);

  const settle = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    const held = anchor.current;
    if (following.current) box.scrollTop = box.scrollHeight;
    else if (held?.element.isConnected) box.scrollTop = held.element.offsetTop - held.top;
    note();
  }, [scroller, note]);

  /**
   * Only a move up stops following. A scroll event that comes late, after the content has grown, looks far from the
   * end too, but nobody scrolled.
   */
  const scrolled = useCallback(() => {
    const box = scroller.current;
    const grew = box && following.current && box.scrollTop >= lastTop.current && leftBelow(box) > NEAR_END_PX;
    if (grew) settle();
    else note();
  }, [scroller, settle, note]);

  const toEnd = useCallback(() => {
    following.current = true;
    if (toNewest) toNewest();
    else settle();
  }, [settle, toNewest]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: content is the trigger
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    if (!away && ownNewest !== undefined && ownNewest !== wrote.current) following.current = true;
    wrote.current = ownNewest;
    if (ready && goTo?.(box)) {
      opened.current = true;
      return note();
    }
    if (ready && !opened.current) {
      opened.current = true;
      if (openAt.current) {
        box.scrollTop = openAt.current.offsetTop - ABOVE_UNREAD_PX;
        return note();
      }
    }
    settle();
  }, [ready, content, ownNewest, goTo, settle, note]);

  useEffect(() => {
    if (!scroller.current || !list.current) return;
    const observer = new ResizeObserver(settle);
    observer.observe(scroller.current);
    observer.observe(list.current);
    return () => observer.disconnect();
  }, [scroller, list, settle]);

  const lastInSight = useCallback(() => {
    const box = scroller.current;
    if (!box || !list.current) return 0;
    const bottom = box.scrollTop + box.clientHeight;
    const below = firstChild(list.current, (child) => child.offsetTop >= bottom - 1);
    let last = below ? below.previousElementSibling : list.current.lastElementChild;
    while (last && !(last as HTMLElement).dataset.seq) last = last.previousElementSibling;
    return Number((last as HTMLElement | null)?.dataset.seq ?? 0);
  }, [scroller, list]);

  return { place, toEnd, follow: settle, scrolled, lastInSight };
}

function leftBelow(box: HTMLElement): number {
  return box.scrollHeight - box.scrollTop - box.clientHeight;
}

/** The first child for which the test holds; it holds for all below it, so halving finds it. */
function firstChild(list: HTMLElement, holds: (child: HTMLElement) => boolean): HTMLElement | undefined {
  const { children } = list;
  let low = 0;
  let high = children.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(children[middle] as HTMLElement)) high = middle;
    else low = middle + 1;
  }
  return children[low] as HTMLElement | undefined;
}
