import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { texts } from '@settee/protocol/texts/texts';
import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';
import { useCallback, useRef } from 'react';
import { useSwitch } from '../../browser/storedSwitch.ts';
import { ThemeChoice } from '../../browser/ThemeChoice.tsx';
import { bellShapes } from '../../ui/bellShapes.ts';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { useHistoryOverlay } from '../../ui/useHistoryOverlay.ts';
import { canRequestPanel, requestPanel } from '../bell/panelRequests.ts';
import { soundSetting } from '../bell/soundSetting.ts';
import styles from './MoreMenu.module.css';

/** Lucide icons of this menu, kept out of the first script. */
const shapes = {
  pencil: [
    'M4.5 19.5 5.6 15 15.5 5.1a2.05 2.05 0 0 1 2.9 0l.5.5a2.05 2.05 0 0 1 0 2.9L9 18.4z',
    'M13.5 7.1l3.4 3.4',
  ],
  devices: [
    'M8 17.5H4.5A1.5 1.5 0 0 1 3 16V6.5A1.5 1.5 0 0 1 4.5 5h12A1.5 1.5 0 0 1 18 6.5V8',
    'M14.5 11h5A1.5 1.5 0 0 1 21 12.5v6a1.5 1.5 0 0 1-1.5 1.5h-5a1.5 1.5 0 0 1-1.5-1.5v-6A1.5 1.5 0 0 1 14.5 11Z',
  ],
  code: [
    'M4 7.5A2.5 2.5 0 0 1 6.5 5h11A2.5 2.5 0 0 1 20 7.5v9a2.500 2.500 0 0 1-2.500 2.500h-11A2.500 2.500 0 0 1 4 16.500z',
    'M8 12h.01M12 12h.01M16 12h.01',
  ],
  mail: ['M3.5 6.5h17v11h-17z', 'm4 7 8 6 8-6'],
  sound: ['M4.5 9.5v5H8l4.5 4v-13L8 9.5z', 'M16 9.2a4 4 0 0 1 0 5.6', 'M18.5 6.5a8 8 0 0 1 0 11'],
  globe: [
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 1 0 0-17',
    'M3.5 12h17',
    'M12 3.5c4.7 4.7 4.7 12.3 0 17-4.7-4.7-4.7-12.3 0-17Z',
  ],
  download: ['M12 4v11', 'm7 11 5 5 5-5', 'M5 20h14'],
  bin: [
    'M4.5 7h15',
    'M9.5 7V5.5A1.5 1.5 0 0 1 11 4h2a1.5 1.5 0 0 1 1.5 1.5V7',
    'M6.5 7l.8 11.5A1.6 1.6 0 0 0 8.9 20h6.2a1.6 1.6 0 0 0 1.6-1.5L17.5 7',
    'M10.3 11v5M13.7 11v5',
  ],
} as const;

export type MoreActions = {
  /** Opens a dialog. */
  onAsk: (what: 'name' | 'download' | 'erase' | 'devices' | 'language' | 'mail') => void;
  /** Undefined if this device may not add another. */
  onAnotherDevice: (() => void) | undefined;
  /** False if the administrator does not let visitors delete. */
  canErase: boolean;
  /** The visitor can leave an e-mail address. */
  canMail?: boolean | undefined;
};

export type MoreMenuProps = MoreActions & { onClose: () => void };

/** The header is not at the top of a wide page. On a phone that lies on its side, the menu scrolls. */
function belowHeader(menu: HTMLElement): void {
  const header = document.querySelector('header');
  if (!header) return;
  const top = header.getBoundingClientRect().bottom - 6;
  menu.style.top = `${top}px`;
  menu.style.maxHeight = `calc(100dvh - ${top + 8}px)`;
}

export function MoreMenu({ onAsk, onAnotherDevice, canErase, canMail, onClose }: MoreMenuProps) {
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
          <Item paths={shapes.pencil} text={texts.changeName} onClick={() => choose(() => onAsk('name'))} />
          {onAnotherDevice && (
            <>
              <Item paths={shapes.code} text={texts.anotherDevice} onClick={() => choose(onAnotherDevice)} />
              <Item
                paths={shapes.devices}
                text={deviceTexts.devices}
                onClick={() => choose(() => onAsk('devices'))}
              />
            </>
          )}
          {canRequestPanel() && (
            <Item
              paths={bellShapes.bell}
              text={pushTexts.getNotifications}
              onClick={() => choose(requestPanel)}
            />
          )}
          {canMail && (
            <Item
              paths={shapes.mail}
              text={visitorMailTexts.title}
              onClick={() => choose(() => onAsk('mail'))}
            />
          )}
          <MenuItem role="menuitemcheckbox" aria-checked={sound} onClick={() => soundSetting.set(!sound)}>
            <Shape paths={shapes.sound} />
            <span className={styles.grows}>{texts.sound}</span>
            {sound && <Icon name="check" size={18} />}
          </MenuItem>
          <Item paths={shapes.globe} text={texts.language} onClick={() => choose(() => onAsk('language'))} />
          <Item
            paths={shapes.download}
            text={rightsTexts.download}
            onClick={() => choose(() => onAsk('download'))}
          />
          <ThemeChoice />
          {canErase && (
            <>
              <hr className={styles.line} />
              <MenuItem className={styles.danger} onClick={() => choose(() => onAsk('erase'))}>
                <Shape paths={shapes.bin} />
                {rightsTexts.erase}
              </MenuItem>
            </>
          )}
        </>
      )}
    </Menu>
  );
}

function Item({ paths, text, onClick }: { paths: readonly string[]; text: string; onClick: () => void }) {
  return (
    <MenuItem onClick={onClick}>
      <Shape paths={paths} />
      {text}
    </MenuItem>
  );
}
