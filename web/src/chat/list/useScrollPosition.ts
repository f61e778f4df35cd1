import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Within this distance of the end, the list follows new messages. */
const NEAR_END_PX = 100;

/** Space for read messages above the first unread one. */
const ABOVE_UNREAD_PX = 72;

/** end: follows new messages. near: less than a screen away. far: more. */
type Place = 'end' | 'near' | 'far';

type Options = {
  /** True when the list can take its first position. */
  ready: boolean;
  /** The line above the first unread message. Without it, the list opens at the end. */
  openAt: RefObject<HTMLElement | null>;
  /** Changes with everything that affects the height. */
  content: unknown;
  /** The id of the latest own message. The list scrolls to it. */
  ownNewest: string | undefined;
  /** Scrolls to a place and returns whether it did. Called after each render. Pass a new function for a new place. */
  goTo: ((box: HTMLElement) => boolean) | undefined;
  /** Set while the list does not include the newest message. */
  toNewest: (() => void) | undefined;
};

/**
 * Keeps the list at its end while the reader is near it. Otherwise keeps the visible messages in place when older
 * messages load or the size changes.
 */
export function useScrollPosition(
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<HTMLElement | null>,
  { ready, openAt, content, ownNewest, goTo, toNewest }: Options,
) {
  const following = useRef(true);
  /** The first visible message and its offset. */
  const anchor = useRef<{ element: HTMLElement; top: number } | null>(null);
  const wrote = useRef(ownNewest);
  const lastTop = useRef(0);
  const lastSize = useRef('');
  const opened = useRef(false);
  const away = toNewest !== undefined;
  const [place, setPlace] = useState<Place>('end');

  const note = useCallback(() => {
    const box = scroller.current;
    if (!box || !list.current) return;
    const left = leftBelow(box);
    following.current = !away && left <= NEAR_END_PX;
    lastTop.current = box.scrollTop;
    lastSize.current = sizeOf(box);
    let first: Element | null | undefined = firstChild(
      list.current,
      (child) => child.offsetTop + child.offsetHeight > box.scrollTop,
    );
    // Skip dots and labels, which stay at the top when older messages load.
    while (first && !(first as HTMLElement).dataset.key) first = first.nextElementSibling;
    const element = first as HTMLElement | null | undefined;
    anchor.current = element ? { element, top: element.offsetTop - box.scrollTop } : null;
    setPlace(following.current ? 'end' : !away && left < box.clientHeight ? 'near' : 'far');
  }, [scroller, list, away]);

  /** Restores the position: the end if following, otherwise the anchor. */
  const settle = useCallback(() => {
    const box = scroller.current;
    if (!box) return;
    const held = anchor.current;
    if (following.current) box.scrollTop = box.scrollHeight;
    else if (held?.element.isConnected) box.scrollTop = held.element.offsetTop - held.top;
    note();
  }, [scroller, note]);

  /**
   * Only scrolling up stops following. A late scroll event after the content has grown also looks far from the end. So
   * does one of a list that became taller, which moves it up, and then narrower: a phone that was turned.
   */
  const scrolled = useCallback(() => {
    const box = scroller.current;
    const grew = box && box.scrollTop >= lastTop.current && leftBelow(box) > NEAR_END_PX;
    const resized = box && sizeOf(box) !== lastSize.current;
    if (following.current && (grew || resized)) settle();
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

  /** The number of the last visible message. */
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

function sizeOf({ clientWidth, clientHeight }: HTMLElement): string {
  return `${clientWidth} ${clientHeight}`;
}

function leftBelow(box: HTMLElement): number {
  return box.scrollHeight - box.scrollTop - box.clientHeight;
}

/** Binary search for the first child that passes the test. All later children pass it too. */
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
