import { consoleTexts } from '@settee/protocol/consoleTexts';
import type { ConversationStatus } from '@settee/protocol/conversation';
import { Bell } from '../../push/Bell.tsx';
import type { Push } from '../../push/push.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { staffWords } from '../alerts/staffPush.ts';
import { shapes } from '../shapes.ts';
import styles from './ConversationHeader.module.css';
import { MoreMenu } from './MoreMenu.tsx';

type ConversationHeaderProps = {
  name: string;
  profileName: string;
  /** Tells of new messages at this desk. */
  push: Push;
  status: ConversationStatus | undefined;
  /** It can be read, and nothing more. */
  readOnly: boolean;
  onBack: () => void;
  onClose: () => void;
  onReopen: () => void;
  onBlock: () => void;
  onTransfer: () => void;
  onMarkUnread: () => void;
  onDetails: () => void;
  onSignOut: () => void;
};

/** By the width it has: words, icons alone, or two rows. */
export function ConversationHeader(props: ConversationHeaderProps) {
  const { status = 'open', readOnly } = props;
  return (
    <div className={styles.frame}>
      <header className={styles.header}>
        <Button look="bare" className={styles.back} onClick={props.onBack}>
          <Icon name="back" size={17} />
          <span>{consoleTexts.backToQueue}</span>
        </Button>
        <div className={styles.who}>
          <h1>
            <bdi>{props.name}</bdi>
          </h1>
          <p>
            {consoleTexts.chatWith} {props.profileName}
          </p>
        </div>
        <Bell push={props.push} words={staffWords} />
        <MoreMenu
          className={styles.more}
          disabled={readOnly}
          onTransfer={props.onTransfer}
          onMarkUnread={status === 'open' ? props.onMarkUnread : undefined}
        />
        <div className={styles.actions}>
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
              <span>{consoleTexts.reopen}</span>
            </Button>
          )}
          {status !== 'blocked' && (
            <Button look="outline" danger disabled={readOnly} onClick={props.onBlock}>
              <Icon name="ban" size={17} />
              <span>{consoleTexts.block}</span>
            </Button>
          )}
          {/* With two panes the queue beside it has one already. */}
          <Button look="outline" className={styles.onPages} onClick={props.onSignOut}>
            <Shape paths={shapes.out} size={17} />
            <span>{consoleTexts.signOut}</span>
          </Button>
        </div>
      </header>
    </div>
  );
}
