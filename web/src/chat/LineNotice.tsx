import { texts } from '@settee/protocol/texts/texts';
import { Notice } from '../ui/Notice.tsx';
import type { LineState } from './useLine.ts';

export function LineNotice({ line }: { line: LineState }) {
  if (line === 'offline') {
    return (
      <Notice tone="lamp" icon="retry">
        {texts.offlineBanner}
      </Notice>
    );
  }
  return line === 'back' ? (
    <Notice tone="success" icon="check">
      {texts.backOnline}
    </Notice>
  ) : null;
}
