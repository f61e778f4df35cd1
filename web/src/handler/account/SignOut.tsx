import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useState } from 'react';
import { CheckField } from '../../staff/CheckField.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useSignedIn } from '../context.ts';
import { useCommands } from '../keys/commands.ts';

type Unfinished = { drafts: number; unsent: number; removeUnsent: () => Promise<void> };

/** The command of every Sign Out button. Asks first if text would be left behind. */
export function SignOut() {
  const { session, drafts, console } = useSignedIn();
  const [found, setFound] = useState<Unfinished | null>(null);
  const [removes, setRemoves] = useState(false);

  async function ask(): Promise<void> {
    const unsent = await console.unsent();
    const unfinished = { drafts: drafts.count(), unsent: unsent.count, removeUnsent: unsent.remove };
    if (unfinished.drafts + unfinished.unsent === 0) return session.signOut({ removeDrafts: true });
    setRemoves(false);
    setFound(unfinished);
  }
  useCommands([{ id: 'signOut', name: consoleTexts.signOut, run: () => void ask() }]);

  if (!found) return null;
  const { drafts: count, unsent, removeUnsent } = found;
  return (
    <FormDialog
      title={consoleTexts.signOutTitle}
      note={[
        count > 0 && fillText(consoleTexts.draftCount, { count }),
        unsent > 0 && fillText(consoleTexts.unsentCount, { count: unsent }),
      ]
        .filter(Boolean)
        .join(' · ')}
      action={consoleTexts.signOut}
      cancel={consoleTexts.signOutStay}
      focusCancel
      onClose={() => setFound(null)}
      onSubmit={async () => {
        if (removes) await removeUnsent();
        await session.signOut({ removeDrafts: removes });
        return undefined;
      }}
    >
      <p>{consoleTexts.signOutKeeps}</p>
      <CheckField
        label={consoleTexts.signOutRemoves}
        hint={consoleTexts.signOutShared}
        checked={removes}
        onChange={setRemoves}
      />
    </FormDialog>
  );
}
