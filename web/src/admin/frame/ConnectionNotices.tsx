import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { texts } from '@settee/protocol/texts/texts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useLiveAdmin } from '../context.ts';
import { useLasting } from '../parts/useLasting.ts';

/** Shorter interruptions are not shown. */
const SAY_LOST_AFTER_MS = 3_000;

/** Warns when the page may be outdated: the connection is down, or the server closed it. */
export function ConnectionNotices() {
  const { status, ended } = useLiveAdmin();
  const lost = useLasting(status !== 'open', SAY_LOST_AFTER_MS);
  if (ended) {
    return (
      <Notice tone="danger" icon="alert">
        {ended === 'outdated' ? texts.pageOutdated : adminTexts.tooManyTabs}{' '}
        <Button look="bare" danger onClick={() => location.reload()}>
          {texts.refreshPage}
        </Button>
      </Notice>
    );
  }
  return lost && <Notice tone="lamp">{adminTexts.lineLost}</Notice>;
}
