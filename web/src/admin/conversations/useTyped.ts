import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** Whoever types is not done yet. */
const TYPING_MS = 250;

/**
 * What stands in a field, and is sent on when the typing pauses. The field is its own master: were it to show what is
 * known elsewhere, which comes later, the caret would jump and letters would be lost. Only what somebody else put
 * there is taken over.
 */
export function useTyped(
  known: string,
  onSettled: (words: string) => void,
): readonly [words: string, setWords: (words: string) => void] {
  const [words, setWords] = useState(known);
  const sent = useRef(known);
  const settle = useEffectEvent(onSettled);

  useEffect(() => {
    if (known === sent.current) return;
    sent.current = known;
    setWords(known);
  }, [known]);
  useEffect(() => {
    if (words === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = words;
      settle(words);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [words]);

  return [words, setWords];
}
