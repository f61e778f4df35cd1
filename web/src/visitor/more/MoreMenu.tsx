import { pushTexts } from '@settee/protocol/pushTexts';
import { texts } from '@settee/protocol/texts';
import { ThemeChoice } from '../../chat/ThemeChoice.tsx';
import { bellShapes } from '../../ui/bellShapes.ts';
import { Shape } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { askForPanel, canAskForPanel } from '../bell/panelRequests.ts';
import styles from './MoreMenu.module.css';
import { shapes } from './shapes.ts';

export type MoreActions = {
  onChangeName: () => void;
  /** Missing where this device may not let in another. */
  onAnotherDevice: (() => void) | undefined;
};

export type MoreMenuProps = MoreActions & { onClose: () => void };

export function MoreMenu({ onChangeName, onAnotherDevice, onClose }: MoreMenuProps) {
  return (
    <Menu label={texts.more} className={styles.menu} onClose={onClose}>
      {(choose) => (
        <>
          <MenuItem onClick={() => choose(onChangeName)}>
            <Shape paths={shapes.pencil} />
            {texts.changeName}
          </MenuItem>
          {onAnotherDevice && (
            <MenuItem onClick={() => choose(onAnotherDevice)}>
              <Shape paths={shapes.devices} />
              {texts.anotherDevice}
            </MenuItem>
          )}
          {canAskForPanel() && (
            <MenuItem onClick={() => choose(askForPanel)}>
              <Shape paths={bellShapes.bell} />
              {pushTexts.getNotifications}
            </MenuItem>
          )}
          <ThemeChoice />
        </>
      )}
    </Menu>
  );
}
