import { texts } from '@settee/protocol/texts';
import type { Live } from '../net/live.ts';
import { Notice } from '../ui/Notice.tsx';
import type { LineState } from './useLine.ts';

const endWords = {
  outdated: texts.pageOutdated,
  signed_out: texts.signedOutHere,
  too_many_sockets: texts.tooManyTabs,
} as const;

/** What the reader must know of the connection: that it is gone, that it is back, or why it will not come back. */
export function LineNotice({ line, ended }: { line: LineState; ended: ReturnType<Live['endReason']> }) {
  if (ended) {
    return (
      <Notice tone="danger" icon="alert">
        {endWords[ended]}
      </Notice>
    );
  }
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
