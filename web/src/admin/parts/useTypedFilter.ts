import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { PROFILE } from '../profiles/useProfiles.ts';

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

/** A list's filter in the address, so that it can be shared, beside the profile. Empty values are left out. */
export function useAddressFilter<Key extends string>(keys: readonly Key[]) {
  type Filter = Partial<Record<Key, string>>;
  const [params, setParams] = useSearchParams();
  const filter: Filter = {};
  for (const key of keys) {
    const value = params.get(key)?.trim();
    if (value) filter[key] = value;
  }
  const scope = params.get(PROFILE) ?? '';
  const show = (next: Filter) =>
    setParams(
      Object.entries({ ...next, [PROFILE]: scope } as Record<string, string>).filter(
        ([, value]) => value !== '',
      ),
      { replace: true },
    );
  return [filter, (change: Filter) => show({ ...filter, ...change }), () => show({})] as const;
}
