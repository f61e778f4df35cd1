import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { PALETTE_KEY, SWITCH_KEY, UNDO_KEY } from './keyRules.ts';

type KeyLine = {
  keys: readonly string[];
  name: string;
  /** Also in the short list of the details. */
  short?: true;
  /** Only where this command is offered. */
  command?: string;
};

type KeyGroup = { title: string; lines: readonly KeyLine[]; single?: true };

/** All shortcuts, for the list. */
export const keyGroups: readonly KeyGroup[] = [
  {
    title: consoleTexts.keysAnywhere,
    lines: [
      { keys: [PALETTE_KEY], name: consoleTexts.keyPalette, short: true },
      { keys: [SWITCH_KEY], name: consoleTexts.switcher, command: 'switcher' },
      { keys: ['alt+arrowdown', 'arrowup'], name: consoleTexts.keyNextPrevious, short: true },
      { keys: ['mod+e'], name: consoleTexts.keyClose, short: true },
      { keys: [UNDO_KEY], name: consoleTexts.keyUndo },
      { keys: ['mod+/'], name: consoleTexts.allShortcuts, short: true },
      { keys: ['escape'], name: consoleTexts.keyBack },
    ],
  },
  {
    title: consoleTexts.keysWriting,
    lines: [
      { keys: ['enter'], name: consoleTexts.keySend },
      { keys: ['mod+enter'], name: consoleTexts.sendAndClose },
      { keys: ['/'], name: consoleTexts.keySavedReply, short: true },
      { keys: ['mod+i'], name: consoleTexts.keyReplyNote },
    ],
  },
  {
    title: consoleTexts.keysQueue,
    single: true,
    lines: [
      { keys: ['j', 'k'], name: consoleTexts.keyRows },
      { keys: ['enter'], name: consoleTexts.keyOpen },
      { keys: ['?'], name: consoleTexts.allShortcuts },
    ],
  },
];
