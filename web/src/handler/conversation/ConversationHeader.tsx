import type { ConversationStatus } from '@settee/protocol/model/conversation';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { Bell } from '../../push/Bell.tsx';
import type { Push } from '../../push/push.ts';
import { Button } from '../../ui/Button.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { useMediaQuery } from '../../ui/useMediaQuery.ts';
import { staffWords } from '../alerts/staffPush.ts';
import { shapes } from '../shapes.ts';
import styles from './ConversationHeader.module.css';
import { MoreMenu } from './MoreMenu.tsx';

type ConversationHeaderProps = {
  /** Id of the heading. */
  id: string;
  name: string;
  /** The visitor has a page open. */
  present: boolean;
  profileName: string;
  push: Push;
  status: ConversationStatus | undefined;
  readOnly: boolean;
  /** The desk's alias. */
  alias: string;
  onBack: () => void;
  onClose: () => void;
  onReopen: () => void;
  onBlock: () => void;
  onTransfer: () => void;
  onMarkUnread: () => void;
  onDetails: () => void;
  onSignOut: () => void;
};

/** The width below which the shell shows one page. */
const ONE_PAGE = '(max-width: 899px)';

/** One row with a menu on phones. Otherwise buttons, because other panes have the bell and Sign Out. */
export function ConversationHeader(props: ConversationHeaderProps) {
  const { status = 'open', readOnly } = props;
  const onePage = useMediaQuery(ONE_PAGE);
  return (
    <div className={styles.frame}>
      <header className={styles.header}>
        <Button
          look="bare"
          className={styles.back}
          aria-label={consoleTexts.backToQueue}
          onClick={props.onBack}
        >
          <Icon name="back" size={onePage ? 22 : 17} />
          <span>{consoleTexts.backToQueue}</span>
        </Button>
        <div className={styles.who}>
          <div className={styles.name}>
            <h1 id={props.id}>
              <bdi>{props.name}</bdi>
            </h1>
            {status === 'open' && !readOnly && (
              <span className={styles.presence} data-present={props.present}>
                <Hidden>{props.present ? consoleTexts.visitorHere : consoleTexts.visitorAway}</Hidden>
              </span>
            )}
          </div>
          <p>
            {consoleTexts.chatWith} {props.profileName}
          </p>
        </div>
        {onePage ? (
          <>
            <Bell push={props.push} words={staffWords} />
            <MoreMenu {...props} className={styles.more} status={status} onePage />
          </>
        ) : (
          <>
            <Button look="outline" className={styles.details} onClick={props.onDetails}>
              <Shape paths={shapes.panel} size={17} />
              <span>{consoleTexts.details}</span>
            </Button>
            {status === 'open' ? (
              <Button look="outline" disabled={readOnly} onClick={props.onClose}>
                <Icon name="check" size={17} />
                <span>{consoleTexts.close}</span>
              </Button>
            ) : (
              <Button look="outline" disabled={readOnly} onClick={props.onReopen}>
                <Icon name="retry" size={17} />
                <span>{status === 'blocked' ? consoleTexts.unblock : consoleTexts.reopen}</span>
              </Button>
            )}
            {status !== 'blocked' && (
              <Button look="outline" danger disabled={readOnly} onClick={props.onBlock}>
                <Icon name="ban" size={17} />
                <span>{consoleTexts.block}</span>
              </Button>
            )}
            <MoreMenu {...props} className={styles.more} status={status} onePage={false} />
          </>
        )}
      </header>
    </div>
  );
}
