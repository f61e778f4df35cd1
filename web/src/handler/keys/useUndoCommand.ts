import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import type { Toast } from '../../staff/toast/toasts.ts';
import { useCommands } from './commands.ts';
import { UNDO_KEY } from './keyRules.ts';

/** The key works while the toast is in sight. Afterwards the palette still offers the last undo. */
export function useUndoCommand(last: Toast | null, isShown: boolean): void {
  const { text, undo } = last ?? {};
  const key = isShown ? { key: UNDO_KEY } : {};
  useCommands(undo ? [{ ...key, id: 'undo', name: `${consoleTexts.undo}: ${text}`, run: undo }] : []);
}
