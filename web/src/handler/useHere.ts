import { type RefObject, useLayoutEffect, useRef } from 'react';

/** True while the component is on show. An answer that comes later must not move whoever has gone elsewhere. */
export function useHere(): RefObject<boolean> {
  const here = useRef(true);
  useLayoutEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);
  return here;
}
