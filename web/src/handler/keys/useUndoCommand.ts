import { consoleTexts } from '@settee/protocol/consoleTexts';
import { useCommands } from './commands.ts';

/** Z takes back what the toast tells of. */
export function useUndoCommand(undo: (() => void) | undefined): void {
  useCommands(undo ? [{ id: 'undo', name: consoleTexts.undo, key: 'z', run: undo }] : []);
}
