import type { CloseReason } from '@settee/protocol/frames/down';
import { texts } from '@settee/protocol/texts/texts';
import { reloadPage } from '../browser/reloadPage.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';

/** The server closed the connection, and the page does not come back by itself. */
export function EndedNotice({ reason, tooManyTabs }: { reason: CloseReason; tooManyTabs: string }) {
  return (
    <Notice tone="danger">
      {reason === 'outdated' ? texts.pageOutdated : tooManyTabs}{' '}
      <Button look="bare" danger onClick={reloadPage}>
        {texts.refreshPage}
      </Button>
    </Notice>
  );
}
