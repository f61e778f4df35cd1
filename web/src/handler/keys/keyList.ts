import { consoleTexts } from '@settee/protocol/consoleTexts';
import { PALETTE_KEY } from './keyRules.ts';

export type KeyLine = {
  keys: readonly string[];
  name: string;
  /** Also in the details pane's short list. */
  short?: true;
};

/** Every key of the console, for people to read. */
export const keyList: readonly KeyLine[] = [
  { keys: ['j', 'k'], name: consoleTexts.keyNextPrevious, short: true },
  { keys: ['enter'], name: consoleTexts.keyOpen },
  { keys: ['r'], name: consoleTexts.keyReply, short: true },
  { keys: ['n'], name: consoleTexts.keyNote },
  { keys: ['/'], name: consoleTexts.keySavedReply, short: true },
  { keys: ['e'], name: consoleTexts.keyClose, short: true },
  { keys: ['u'], name: consoleTexts.keyUnread },
  { keys: ['z'], name: consoleTexts.undo },
  { keys: ['mod+enter'], name: consoleTexts.sendAndClose },
  { keys: [PALETTE_KEY], name: consoleTexts.keyPalette },
  { keys: ['escape'], name: consoleTexts.keyBack },
  { keys: ['?'], name: consoleTexts.allShortcuts, short: true },
];
