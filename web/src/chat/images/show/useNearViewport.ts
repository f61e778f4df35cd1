import { type RefObject, useEffect, useState } from 'react';

/** Nearer than this to what is in sight, a picture is loaded. */
const NEAR_PX = 600;

/** True from when an element first comes near the view of its list. */
export function useNearViewport(element: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !element.current) return;
    const observer = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      // A margin counts only around the element that scrolls.
      { root: element.current.closest('[role="log"]'), rootMargin: `${NEAR_PX}px 0px` },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, near]);
  return near;
}
