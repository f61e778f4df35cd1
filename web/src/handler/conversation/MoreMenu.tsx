import { consoleTexts } from '@settee/protocol/consoleTexts';
import { texts } from '@settee/protocol/texts';
import { MenuButton } from '../../staff/menu/MenuButton.tsx';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { shapes } from '../shapes.ts';

type MoreMenuProps = {
  className: string | undefined;
  disabled: boolean;
  onTransfer: () => void;
  /** Missing where it is not in the queue. */
  onMarkUnread: (() => void) | undefined;
};

export function MoreMenu({ className, disabled, onTransfer, onMarkUnread }: MoreMenuProps) {
  return (
    <MenuButton label={texts.more} className={className} disabled={disabled} face={<Icon name="more" />}>
      {(choose) => (
        <>
          <MenuItem onClick={() => choose(onTransfer)}>
            <Shape paths={shapes.handOver} />
            {consoleTexts.transfer}
          </MenuItem>
          {onMarkUnread && (
            <MenuItem onClick={() => choose(onMarkUnread)}>
              <Shape paths={shapes.unread} />
              {consoleTexts.markUnread}
            </MenuItem>
          )}
        </>
      )}
    </MenuButton>
  );
}
