import { type RefObject, useLayoutEffect, useRef } from 'react';

/** True while mounted. Late answers must not affect another page. */
export function useMountedRef(): RefObject<boolean> {
  const mounted = useRef(true);
  useLayoutEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  return mounted;
}
