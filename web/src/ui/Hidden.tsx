import type { ReactNode } from 'react';

/** Visible to screen readers only. */
export function Hidden({ children }: { children: ReactNode }) {
  return <span className="hidden">{children}</span>;
}
