import type { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { EditInvite } from './EditInvite.tsx';
import { ReplaceLink } from './ReplaceLink.tsx';
import { ResetCode } from './ResetCode.tsx';
import { RevokeInvites } from './RevokeInvites.tsx';

/** What somebody chose to do, and with which. */
export type Asked =
  | { what: 'edit' | 'replace' | 'code'; invite: ManagedInvite }
  | { what: 'revoke'; invites: ManagedInvite[] };

type InviteDialogProps = { asked: Asked; onClose: () => void; onDone: () => void };

export function InviteDialog({ asked, onClose, onDone }: InviteDialogProps) {
  switch (asked.what) {
    case 'edit':
      return <EditInvite invite={asked.invite} onClose={onClose} />;
    case 'replace':
      return <ReplaceLink invite={asked.invite} onClose={onClose} />;
    case 'code':
      return <ResetCode invite={asked.invite} onClose={onClose} />;
    case 'revoke':
      return <RevokeInvites invites={asked.invites} onClose={onClose} onDone={onDone} />;
  }
}
