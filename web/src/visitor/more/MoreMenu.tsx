import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useCallback, useRef } from 'react';
import { useSwitch } from '../../browser/storedSwitch.ts';
import { ThemeChoice } from '../../browser/ThemeChoice.tsx';
import { bellShapes } from '../../ui/bellShapes.ts';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import { useHistoryOverlay } from '../../ui/useHistoryOverlay.ts';
import { askForPanel, canAskForPanel } from '../bell/panelRequests.ts';
import { soundSetting } from '../bell/soundSetting.ts';
import styles from './MoreMenu.module.css';
import { shapes } from './shapes.ts';

export type MoreActions = {
  /** Opens what asks for more than a press. */
  onAsk: (what: 'name' | 'download' | 'erase' | 'devices') => void;
  /** Missing where this device may not let in another. */
  onAnotherDevice: (() => void) | undefined;
  /** False where the administrator does not let visitors delete. */
  canErase: boolean;
};

export type MoreMenuProps = MoreActions & { onClose: () => void };

/** The header stands lower while the code is shown above it. */
function belowHeader(menu: HTMLElement): void {
  const header = document.querySelector('header');
  if (header) menu.style.top = `${header.getBoundingClientRect().bottom - 6}px`;
}

export function MoreMenu({ onAsk, onAnotherDevice, canErase, onClose }: MoreMenuProps) {
  const menu = useRef<HTMLElement>(null);
  const place = useCallback((element: HTMLElement) => {
    menu.current = element;
    belowHeader(element);
  }, []);
  useHistoryOverlay(() => (menu.current?.hidePopover ? menu.current.hidePopover() : onClose()));
  const sound = useSwitch(soundSetting);
  return (
    <Menu label={texts.more} className={styles.menu} onClose={onClose} place={place}>
      {(choose) => (
        <>
          <MenuItem onClick={() => choose(() => onAsk('name'))}>
            <Shape paths={shapes.pencil} />
            {texts.changeName}
          </MenuItem>
          {onAnotherDevice && (
            <>
              <MenuItem onClick={() => choose(onAnotherDevice)}>
                <Shape paths={shapes.code} />
                {texts.anotherDevice}
              </MenuItem>
              <MenuItem onClick={() => choose(() => onAsk('devices'))}>
                <Shape paths={shapes.devices} />
                {deviceTexts.devices}
              </MenuItem>
            </>
          )}
          {canAskForPanel() && (
            <MenuItem onClick={() => choose(askForPanel)}>
              <Shape paths={bellShapes.bell} />
              {pushTexts.getNotifications}
            </MenuItem>
          )}
          <MenuItem role="menuitemcheckbox" aria-checked={sound} onClick={() => soundSetting.set(!sound)}>
            <Shape paths={shapes.sound} />
            <span className={styles.grows}>{texts.sound}</span>
            {sound && <Icon name="check" size={18} />}
          </MenuItem>
          <MenuItem onClick={() => choose(() => onAsk('download'))}>
            <Shape paths={shapes.download} />
            {rightsTexts.download}
          </MenuItem>
          {canErase && (
            <MenuItem className={styles.danger} onClick={() => choose(() => onAsk('erase'))}>
              <Shape paths={shapes.bin} />
              {rightsTexts.erase}
            </MenuItem>
          )}
          <ThemeChoice />
        </>
      )}
    </Menu>
  );
}
