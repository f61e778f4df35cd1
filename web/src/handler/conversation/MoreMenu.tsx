import { consoleTexts } from '@settee/protocol/consoleTexts';
import { texts } from '@settee/protocol/texts';
import { Icon, Shape } from '../../ui/Icon.tsx';
import items from '../menu/items.module.css';
import { MenuButton } from '../menu/MenuButton.tsx';
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
          <button type="button" role="menuitem" className={items.item} onClick={() => choose(onTransfer)}>
            <Shape paths={shapes.handOver} />
            {consoleTexts.transfer}
          </button>
          {onMarkUnread && (
            <button type="button" role="menuitem" className={items.item} onClick={() => choose(onMarkUnread)}>
              <Shape paths={shapes.unread} />
              {consoleTexts.markUnread}
            </button>
          )}
        </>
      )}
    </MenuButton>
  );
}
