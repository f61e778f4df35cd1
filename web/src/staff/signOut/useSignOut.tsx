import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { type ReactNode, useState } from 'react';
import { CheckField } from '../CheckField.tsx';
import { FormDialog } from '../dialog/FormDialog.tsx';
import type { SessionStore } from '../session.ts';
import type { Unfinished } from './unfinished.ts';

/** A sign-out that asks first if text would be left behind. */
export function useSignOut(
  session: SessionStore,
  find: () => Promise<Unfinished>,
): { signOut: () => Promise<void>; question: ReactNode } {
  const [found, setFound] = useState<Unfinished | null>(null);
  const [removes, setRemoves] = useState(false);

  async function signOut(): Promise<void> {
    const unfinished = await find();
    if (unfinished.drafts + unfinished.unsent === 0) return session.signOut();
    setRemoves(false);
    setFound(unfinished);
  }

  if (!found) return { signOut, question: null };
  const { drafts, unsent, remove } = found;
  const question = (
    <FormDialog
      title={consoleTexts.signOutTitle}
      note={[
        drafts > 0 && fillText(consoleTexts.draftCount, { count: drafts }),
        unsent > 0 && fillText(consoleTexts.unsentCount, { count: unsent }),
      ]
        .filter(Boolean)
        .join(' · ')}
      action={consoleTexts.signOut}
      cancel={consoleTexts.signOutStay}
      focusCancel
      onClose={() => setFound(null)}
      onSubmit={async () => {
        if (removes) await remove();
        await session.signOut();
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
  return { signOut, question };
}
