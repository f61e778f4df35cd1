import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { useState } from 'react';
import { useCommands } from '../keys/commands.ts';
import { SavedRepliesDialog } from './SavedRepliesDialog.tsx';

/** The door to the saved replies: whoever has a button for it runs this command. */
export function SavedReplies() {
  const [open, setOpen] = useState(false);
  useCommands([{ id: 'savedReplies', name: consoleTexts.savedReplies, run: () => setOpen(true) }]);
  return open && <SavedRepliesDialog onClose={() => setOpen(false)} />;
}
