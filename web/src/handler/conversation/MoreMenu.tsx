import type { ConversationStatus } from '@settee/protocol/model/conversation';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import items from '../../staff/menu/items.module.css';
import { MenuButton } from '../../staff/menu/MenuButton.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { useCommandRegistry } from '../keys/commands.ts';
import { shapes } from '../shapes.ts';
import styles from './MoreMenu.module.css';

type MoreMenuProps = {
  className: string | undefined;
  status: ConversationStatus;
  readOnly: boolean;
  alias: string;
  /** No panes beside the conversation: the menu contains all actions. */
  onePage: boolean;
  onClose: () => void;
  onReopen: () => void;
  onBlock: () => void;
  onTransfer: () => void;
  onMarkUnread: () => void;
  onDetails: () => void;
  onSignOut: () => void;
};

export function MoreMenu({ className, status, readOnly, alias, onePage, ...on }: MoreMenuProps) {
  const registry = useCommandRegistry();
  return (
    <MenuButton
      label={texts.more}
      className={className}
      disabled={readOnly && !onePage}
      face={<Icon name="more" size={onePage ? 22 : 20} />}
    >
      {(choose) => (
        <>
          {onePage && status === 'open' && (
            <MenuItem disabled={readOnly} onClick={() => choose(on.onClose)}>
              <Icon name="check" />
              {consoleTexts.close}
            </MenuItem>
          )}
          {onePage && status !== 'open' && (
            <MenuItem disabled={readOnly} onClick={() => choose(on.onReopen)}>
              <Icon name="retry" />
              {status === 'blocked' ? consoleTexts.unblock : consoleTexts.reopen}
            </MenuItem>
          )}
          <MenuItem disabled={readOnly} onClick={() => choose(on.onTransfer)}>
            <Shape paths={shapes.handOver} />
            {consoleTexts.transfer}
          </MenuItem>
          {status === 'open' && (
            <MenuItem disabled={readOnly} onClick={() => choose(on.onMarkUnread)}>
              <Shape paths={shapes.unread} />
              {consoleTexts.markUnread}
            </MenuItem>
          )}
          {registry
            .all()
            .filter(({ id }) => id === 'snooze' || id === 'unsnooze')
            .map(({ id, name, run }) => (
              <MenuItem key={id} disabled={readOnly} onClick={() => choose(run)}>
                <Shape paths={shapes.snooze} />
                {name}
              </MenuItem>
            ))}
          {onePage && (
            <>
              <MenuItem onClick={() => choose(on.onDetails)}>
                <Shape paths={shapes.panel} />
                {consoleTexts.details}
              </MenuItem>
              {status !== 'blocked' && (
                <div className={items.group}>
                  <MenuItem className={styles.danger} disabled={readOnly} onClick={() => choose(on.onBlock)}>
                    <Icon name="ban" />
                    {consoleTexts.block}
                  </MenuItem>
                </div>
              )}
              <div className={items.group}>
                <MenuItem onClick={() => choose(on.onSignOut)}>
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
      )}
    </MenuButton>
  );
}
