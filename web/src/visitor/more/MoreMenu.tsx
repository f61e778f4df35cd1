import { texts } from '@settee/protocol/texts';
import { ThemeChoice } from '../../chat/ThemeChoice.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
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
          <button type="button" role="menuitem" className={styles.item} onClick={() => choose(onChangeName)}>
            <Shape paths={shapes.pencil} />
            {texts.changeName}
          </button>
          {onAnotherDevice && (
            <button
              type="button"
              role="menuitem"
              className={styles.item}
              onClick={() => choose(onAnotherDevice)}
            >
              <Shape paths={shapes.devices} />
              {texts.anotherDevice}
            </button>
          )}
          <ThemeChoice />
        </>
      )}
    </Menu>
  );
}
