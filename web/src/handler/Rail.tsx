import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { Link } from 'react-router';
import { Bell } from '../push/Bell.tsx';
import { Shape } from '../ui/Icon.tsx';
import { Logo } from '../ui/Logo.tsx';
import { AccountMenu } from './account/AccountMenu.tsx';
import { staffPanelTexts } from './alerts/staffPush.ts';
import { useQueueCounts, useSignedIn } from './context.ts';
import { useCommandRegistry } from './keys/commands.ts';
import styles from './Rail.module.css';
import { shapes } from './shapes.ts';

/** Navigation at the edge of wide windows. */
export function Rail() {
  const { push } = useSignedIn();
  const registry = useCommandRegistry();
  const { unread } = useQueueCounts();
  return (
    <nav className={styles.rail} aria-label={consoleTexts.consoleSuffix}>
      <Logo size={34} />
      <Link
        to="/"
        className={styles.here}
        aria-label={
          unread > 0
            ? fillText(consoleTexts.queueUnread, { queue: consoleTexts.queueTitle, count: unread })
            : consoleTexts.queueTitle
        }
      >
        <Shape paths={shapes.inbox} size={22} />
        {unread > 0 && <b>{formatNumber(unread)}</b>}
      </Link>
      <button
        type="button"
        className={styles.tool}
        aria-label={consoleTexts.savedReplies}
        title={consoleTexts.savedReplies}
        onClick={() => registry.run('savedReplies')}
      >
        <Shape paths={shapes.bolt} size={22} />
      </button>
      <Bell push={push} panelTexts={staffPanelTexts} side="right" />
      <AccountMenu className={styles.me} />
    </nav>
  );
}
