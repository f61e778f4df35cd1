import { consoleTexts } from '@settee/protocol/consoleTexts';
import { initials } from '@settee/protocol/initials';
import { texts } from '@settee/protocol/texts';
import { Link, Outlet, useMatch } from 'react-router';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Mark } from '../ui/Mark.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useAlerts } from './alerts/useAlerts.ts';
import { useConsole, useSignedIn } from './context.ts';
import { Keyboard } from './keys/Keyboard.tsx';
import { QueuePane } from './queue/QueuePane.tsx';
import { countUnread } from './queue/show.ts';
import { SavedReplies } from './replies/SavedReplies.tsx';
import styles from './Shell.module.css';

/** Two panes side by side from 900 px; below, whichever of the two the address names. */
export function Shell() {
  const { staff } = useSignedIn();
  const { ended, queue } = useConsole();
  const unread = countUnread(queue ?? []);
  const open = useMatch('/conversation/:conversationId')?.params.conversationId;
  useAlerts(open);

  return (
    <div className={styles.shell} data-look="staff" data-open={open !== undefined}>
      <nav className={styles.rail} aria-label={consoleTexts.consoleSuffix}>
        <Mark size={34} />
        <Link
          to="/"
          aria-label={
            unread > 0
              ? `${consoleTexts.queueTitle}, ${unread} ${consoleTexts.unread}`
              : consoleTexts.queueTitle
          }
        >
          <Icon name="inbox" size={22} />
          {unread > 0 && <b>{unread}</b>}
        </Link>
        <span className={styles.me} role="img" aria-label={staff.name}>
          {initials(staff.name)}
        </span>
      </nav>
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
      </main>
      <SavedReplies />
      <Keyboard openId={open} />
    </div>
  );
}
