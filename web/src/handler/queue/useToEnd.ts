import { useEffect, useEffectEvent, useState } from 'react';

/** Returns a function that loads the rest of a list and then acts. `more` is another function for every page. */
export function useToEnd(more: (() => void) | undefined, act: () => unknown): () => void {
  const [isWanted, setWanted] = useState(false);
  const onEnd = useEffectEvent(act);
  useEffect(() => {
    if (!isWanted) return;
    if (more) return more();
    setWanted(false);
    onEnd();
  }, [isWanted, more]);
  return () => {
    if (more) setWanted(true);
    else act();
  };
}
