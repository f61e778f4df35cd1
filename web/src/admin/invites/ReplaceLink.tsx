import type { MadeLink as Made, ManagedInvite } from '@settee/protocol/model/managedInvite';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useState } from 'react';
import { useAdmin } from '../context.ts';
import styles from './dialogs.module.css';
import { inviteName } from './inviteName.ts';
import { MadeLink } from './MadeLink.tsx';
import { OnceDialog } from './OnceDialog.tsx';

/** Another link to the same invite, in the place of the question. */
export function ReplaceLink({ invite, onClose }: { invite: ManagedInvite; onClose: () => void }) {
  const { session } = useAdmin();
  const [made, setMade] = useState<Made | null>(null);
  const { id, handlerAlias, state } = invite;
  const label = inviteName(invite);

  async function replace(): Promise<string | undefined> {
    const replaced = await session.api('replaceLink', { params: { id } });
    if (!replaced.ok) return replaced.text;
    setMade(replaced.answer);
    return undefined;
  }

  return (
    <OnceDialog
      title={fillText(made ? texts.replacedTitle : texts.replaceTitle, { label })}
      action={texts.replaceLink}
      onConfirm={replace}
      onClose={onClose}
      result={
        made && <MadeLink invite={{ ...made, label, alias: handlerAlias }} lasting={state === 'BOUND'} />
      }
    >
      <p className={styles.note}>{texts.replaceNote}</p>
      {state === 'BOUND' && <p className={styles.note}>{texts.replaceNoteBound}</p>}
    </OnceDialog>
  );
}
