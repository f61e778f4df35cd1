import { texts } from '@settee/protocol/texts';
import { useEffect } from 'react';
import { Outlet, useMatch } from 'react-router';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { consoleTitle } from './consoleTitle.ts';
import { useConsole } from './context.ts';
import { useQueueNotices } from './notices/useQueueNotices.ts';
import { QueuePane } from './queue/QueuePane.tsx';
import { Rail } from './Rail.tsx';
import styles from './Shell.module.css';
import { ToastPlace } from './toast/ToastPlace.tsx';

/** Side by side, as many panes as fit; on a phone, whichever of them the address names. */
export function Shell() {
  const { brand, ended } = useConsole();
  const open = useMatch('/conversation/:conversationId')?.params.conversationId;
  useQueueNotices();

  useEffect(() => {
    document.title = consoleTitle(brand.displayName);
  }, [brand.displayName]);

  return (
    <div className={styles.shell} data-look="staff" data-open={open !== undefined}>
      <Rail />
      <main className={styles.panes}>
        <QueuePane openId={open} />
        <div className={styles.pane}>
          {ended && (
            <Notice tone="danger" icon="alert">
              {ended === 'outdated' ? texts.pageOutdated : texts.tooManyTabs}{' '}
              <Button look="bare" danger onClick={() => location.reload()}>
                {texts.refreshPage}
              </Button>
            </Notice>
          )}
          <Outlet />
        </div>
        {/* After the pane: who closed a conversation by keyboard is one Tab away from Undo. */}
        <ToastPlace />
      </main>
    </div>
  );
}
