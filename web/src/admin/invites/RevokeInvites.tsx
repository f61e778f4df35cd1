import { INVITES_AT_ONCE, type ManagedInvite } from '@settee/protocol/model/managedInvite';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as words } from '@settee/protocol/texts/inviteAdminTexts';
import { texts } from '@settee/protocol/texts/texts';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useAdmin } from '../context.ts';
import { inviteName } from './inviteName.ts';

type RevokeInvitesProps = { invites: ManagedInvite[]; onClose: () => void; onDone: () => void };

/** One or many. The question says what it does to whom. */
export function RevokeInvites({ invites, onClose, onDone }: RevokeInvitesProps) {
  const { session } = useAdmin();
  const toasts = useToasts();
  const count = invites.length.toLocaleString('en');
  const one = invites.length === 1;

  async function revoke(): Promise<string | undefined> {
    const ids = invites.map(({ id }) => id);
    for (let from = 0; from < ids.length; from += INVITES_AT_ONCE) {
      const body = { ids: ids.slice(from, from + INVITES_AT_ONCE) };
      const revoked = await session.api('revokeInvites', { body });
      if (!revoked.ok) return revoked.text;
    }
    toasts.show({ text: one ? words.revokedOne : fillText(words.revokedMany, { count }) });
    onDone();
    return undefined;
  }

  return (
    <FormDialog
      title={
        one
          ? fillText(words.revokeOneTitle, { label: inviteName(invites[0] ?? { label: '' }) })
          : fillText(words.revokeManyTitle, { count })
      }
      note={fillText(one ? words.revokeOneNote : words.revokeManyNote, { text: texts.inviteRevoked })}
      action={words.revoke}
      danger
      onClose={onClose}
      onSubmit={revoke}
    />
  );
}
