import { useEffect, useState } from 'react';

/** True once the condition has lasted for this time. */
export function useLasting(condition: boolean, ms: number): boolean {
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setLasting(true), ms);
    return () => {
      clearTimeout(timer);
      setLasting(false);
    };
  }, [condition, ms]);
  return lasting;
}
