import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Returns a function that loads the rest of a list and then acts. `more` is another function for every page. It does not
 * act if `during` has changed meanwhile.
 */
export function useToEnd(more: (() => void) | undefined, act: () => unknown, during?: unknown): () => void {
  const [wanted, setWanted] = useState<{ during: unknown }>();
  const isWanted = wanted !== undefined && wanted.during === during;
  const onEnd = useEffectEvent(act);
  useEffect(() => {
    if (!isWanted) return;
    // Runs again for the next page, because then `more` is another function.
    if (more) return more();
    setWanted(undefined);
    onEnd();
  }, [isWanted, more]);
  return () => {
    if (more) setWanted({ during });
    else act();
  };
}
