import { type RefObject, useLayoutEffect, useRef } from 'react';

/** True while the component is on show. An answer that comes later must not move whoever has gone elsewhere. */
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
