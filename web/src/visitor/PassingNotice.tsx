import { type ReactNode, useEffect, useState } from 'react';
import { Notice } from '../ui/Notice.tsx';

const SHOWN_FOR_MS = 6_000;

/** Says that something did not work, and goes: there is nothing to do about it but to try again. */
export function PassingNotice({ children }: { children: ReactNode }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setOver, SHOWN_FOR_MS, true);
    return () => clearTimeout(timer);
  }, []);
  return over ? null : (
    <Notice tone="danger" icon="alert">
      {children}
    </Notice>
  );
}
