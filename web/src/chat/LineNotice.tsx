import { texts } from '@settee/protocol/texts/texts';
import type { ReactNode } from 'react';
import { Notice } from '../ui/Notice.tsx';
import type { LineState } from './useLine.ts';

/** `children`: what else a person misses while offline. */
export function LineNotice({ line, children }: { line: LineState; children?: ReactNode }) {
  if (line === 'offline') {
    return (
      <Notice tone="lamp" icon="retry">
        {texts.offlineBanner} {children}
      </Notice>
    );
  }
  return line === 'back' ? (
    <Notice tone="success" icon="check">
      {texts.backOnline}
    </Notice>
  ) : null;
}
