import type { ConversationStatus } from '@settee/protocol/model/conversation';
import type { OwnProfile } from '@settee/protocol/model/profile';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import type { ComponentProps } from 'react';
import { Bell } from '../../push/Bell.tsx';
import type { Push } from '../../push/push.ts';
import items from '../../staff/menu/items.module.css';
import { ActionItem, MenuButton } from '../../staff/menu/MenuButton.tsx';
import { ProfilePicture } from '../../staff/ProfilePicture.tsx';
import { Button } from '../../ui/Button.tsx';
import { fillNodes } from '../../ui/fillNodes.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { MenuItem } from '../../ui/Menu.tsx';
import { staffPanelTexts } from '../alerts/staffPush.ts';
import { useCommandRegistry } from '../keys/commands.ts';
import { shapes } from '../shapes.ts';
import { useOnePage } from '../useOnePage.ts';
import styles from './ConversationHeader.module.css';
import type { ConversationAction, ConversationActions } from './useConversationActions.ts';

type ConversationHeaderProps = {
  id: string;
  name: string;
  /** The visitor has a page open. Undefined if unknown. */
  present: boolean | undefined;
  /** For a person with several. */
  profile: OwnProfile | undefined;
  profileName: string;
  push: Push;
  status: ConversationStatus | undefined;
  readOnly: boolean;
  alias: string;
  /** The desk that a reply acts as, for a person with several. Undefined if one cannot reply. */
  desk: string | undefined;
  actions: ConversationActions;
  onBack: () => void;
};

/** One row with a menu on phones. Otherwise buttons, because other panes have the bell and Sign Out. */
export function ConversationHeader(props: ConversationHeaderProps) {
  const { status = 'open', readOnly, actions } = props;
  const onePage = useOnePage();
  return (
    <div className={styles.frame}>
      <header className={styles.header}>
        <Button
          look="bare"
          className={styles.back}
          aria-label={consoleTexts.backToQueue}
          title={onePage ? undefined : consoleTexts.backToQueue}
          onClick={props.onBack}
        >
          <Icon name="back" size={onePage ? 22 : 17} />
          <span>{consoleTexts.backToQueue}</span>
        </Button>
        <div className={styles.who}>
          <div className={styles.name}>
            <h1 id={props.id} className="cut">
              <bdi>{props.name}</bdi>
            </h1>
            {status === 'open' && !readOnly && props.present !== undefined && (
              <span className={styles.presence} data-present={props.present}>
                <Hidden>{props.present ? consoleTexts.visitorHere : consoleTexts.visitorAway}</Hidden>
              </span>
            )}
          </div>
          <p className={styles.with}>
            {props.profile && <ProfilePicture profile={props.profile} size={20} />}
            <span className="cut">
              {props.desk !== undefined && (
                <>{fillNodes(consoleTexts.replyingAs, { desk: <bdi>{props.desk}</bdi> })} · </>
              )}
              {props.profileName && fillText(consoleTexts.chatWith, { name: props.profileName })}
            </span>
          </p>
        </div>
        {onePage ? (
          <>
            <Bell push={props.push} panelTexts={staffPanelTexts} />
            <MoreMenu {...props} className="icon-button" onePage />
          </>
        ) : (
          <>
            <ActionButton className={styles.details} action={actions.details} />
            <ActionButton disabled={readOnly} action={actions.changeStatus} />
            {actions.block && (
              <ActionButton className={styles.block} danger disabled={readOnly} action={actions.block} />
            )}
            <MoreMenu {...props} className="icon-button" onePage={false} />
          </>
        )}
      </header>
    </div>
  );
}

type ActionButtonProps = ComponentProps<typeof Button> & { action: ConversationAction };

function ActionButton({ action, ...rest }: ActionButtonProps) {
  return (
    <Button {...rest} look="outline" title={action.text} onClick={action.run}>
      <Shape paths={action.shape} size={17} />
      <span>{action.text}</span>
    </Button>
  );
}

type MoreMenuProps = {
  className: string | undefined;
  readOnly: boolean;
  alias: string;
  /** No panes beside the conversation: the menu contains all actions. */
  onePage: boolean;
  actions: ConversationActions;
};

function MoreMenu({ className, readOnly, alias, onePage, actions }: MoreMenuProps) {
  const registry = useCommandRegistry();
  return (
    <MenuButton
      label={texts.more}
      className={className}
      disabled={readOnly && !onePage}
      face={<Icon name="more" size={onePage ? 22 : 20} />}
    >
      {(choose) => {
        const shared = { choose, disabled: readOnly };
        return (
          <>
            {onePage && <ActionItem {...shared} action={actions.changeStatus} />}
            <ActionItem {...shared} action={actions.transfer} />
            {actions.markUnread && <ActionItem {...shared} action={actions.markUnread} />}
            {registry
              .all()
              .filter(({ id }) => id === 'snooze' || id === 'unsnooze')
              .map(({ id, name, run }) => (
                <ActionItem {...shared} key={id} action={{ text: name, shape: shapes.snooze, run }} />
              ))}
            {onePage && (
              <>
                <ActionItem choose={choose} action={actions.details} />
                {actions.block && (
                  <div className={items.group}>
                    <ActionItem {...shared} className={styles.danger} action={actions.block} />
                  </div>
                )}
                <div className={items.group}>
                  <MenuItem onClick={() => choose(() => registry.run('signOut'))}>
                    <Shape paths={shapes.out} />
                    {consoleTexts.signOut}
                    <small className={styles.alias} aria-hidden="true">
                      {alias}
                    </small>
                  </MenuItem>
                </div>
              </>
            )}
          </>
        );
      }}
    </MenuButton>
  );
}
