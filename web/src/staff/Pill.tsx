import type { ReactNode } from 'react';

const tones = { plain: 'quiet', brand: 'brand', good: 'success', warn: 'lamp', bad: 'danger' } as const;

type PillProps = { tone: keyof typeof tones; children: ReactNode };

export function Pill({ tone, children }: PillProps) {
  return (
    <span className="pill" data-pill={tone} data-tone={tones[tone]}>
      {children}
    </span>
  );
}
