import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import items from '../../staff/menu/items.module.css';
import { ActionItem, MenuButton } from '../../staff/menu/MenuButton.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { useCommandRegistry } from '../keys/commands.ts';
import { shapes } from '../shapes.ts';
import styles from './MoreMenu.module.css';
import type { ConversationActions } from './useConversationActions.ts';

type MoreMenuProps = {
  className: string | undefined;
  readOnly: boolean;
  alias: string;
  /** No panes beside the conversation: the menu contains all actions. */
  onePage: boolean;
  actions: ConversationActions;
};

export function MoreMenu({ className, readOnly, alias, onePage, actions }: MoreMenuProps) {
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
