import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react';

/** Nearer to the end than this, the reader follows the conversation; farther, they read back. */
const NEAR_END_PX = 100;

type Stick = { nearEnd: () => boolean; onScroll: () => void };

/**
 * Keeps a list at its end while the reader is near it, and where it is otherwise: also when older messages are put
 * before what they read, or the space changes under it (keyboard, growing composer).
 */
export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  firstKey: string | undefined,
  /** Changes with everything that may change the height. */
  content: unknown,
  /** The key of an own message just written: that always shows. */
  ownNewest: string | undefined,
): Stick {
  const near = useRef(true);
  const before = useRef({ firstKey, ownNewest, height: 0 });

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [scroller]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: content is the trigger
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const last = before.current;
    before.current = { firstKey, ownNewest, height: element.scrollHeight };
    if (ownNewest !== undefined && ownNewest !== last.ownNewest) near.current = true;
    if (near.current) toEnd();
    else if (firstKey !== last.firstKey) element.scrollTop += element.scrollHeight - last.height;
  }, [scroller, firstKey, content, ownNewest, toEnd]);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      if (near.current) toEnd();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, toEnd]);

  return {
    nearEnd: () => near.current,
    onScroll() {
      const element = scroller.current;
      if (!element) return;
      near.current = element.scrollHeight - element.scrollTop - element.clientHeight <= NEAR_END_PX;
    },
  };
}
