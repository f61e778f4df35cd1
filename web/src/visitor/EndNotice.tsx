import { texts } from '@settee/protocol/texts/texts';
import type { Live } from '../net/live.ts';
import { Notice } from '../ui/Notice.tsx';

const endWords = {
  outdated: texts.pageOutdated,
  signed_out: texts.signedOutHere,
  too_many_sockets: texts.tooManyTabs,
} as const;

/** Why the connection will not come back. */
export function EndNotice({ reason }: { reason: NonNullable<ReturnType<Live['endReason']>> }) {
  return (
    <Notice tone="danger" icon="alert">
      {endWords[reason]}
    </Notice>
  );
}
