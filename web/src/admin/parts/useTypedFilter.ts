import { useEffect, useEffectEvent, useRef, useState } from 'react';

const TYPED_AFTER_MS = 250;

/**
 * A search field whose value is in the address. Typing is debounced. A value from the address replaces the text
 * only if this field did not send it, because the text may be newer. While `held`, nothing is sent.
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
