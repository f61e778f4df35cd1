import { type RefObject, useEffect, useState } from 'react';

/** Images load when they are this close to the viewport. */
const NEAR_PX = 600;

/** True once an element has come near the viewport of its list. */
export function useNearViewport(element: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !element.current) return;
    const observer = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      // rootMargin applies only to the scrolling element.
      { root: element.current.closest('[role="log"]'), rootMargin: `${NEAR_PX}px 0px` },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, near]);
  return near;
}
