import { useEffect, useEffectEvent, useRef, useState } from 'react';

const TYPED_AFTER_MS = 250;

/**
 * The words of a search field whose value the address keeps. Whoever types is not asked about every letter, and what
 * comes back from the address is taken over only where it is not what this field sent: it would be older than what is
 * typed by then. While `held`, nothing is sent: the place asks by itself.
 */
export function useTypedFilter(value: string, onSettled: (text: string) => void, held = false) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const settle = useEffectEvent(onSettled);
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    const text = typed.trim();
    if (held || text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      settle(text);
    }, TYPED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed, held]);
  return [typed, setTyped] as const;
}
