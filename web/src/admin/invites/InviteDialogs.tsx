import { INVITE_DAYS_MAX } from '@settee/protocol/model/invite';
import {
  INVITE_LABEL_MAX,
  INVITES_AT_ONCE,
  KEEP_DAYS_MAX,
  type ManagedInvite,
} from '@settee/protocol/model/managedInvite';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { texts as commonTexts } from '@settee/protocol/texts/texts';
import { useState } from 'react';
import { dayLabel } from '../../browser/times.ts';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useAdmin } from '../context.ts';
import { useChunks } from '../inChunks.ts';
import { TextField } from '../parts/TextField.tsx';
import { useRetentionConfirm } from '../retention/useRetentionConfirm.tsx';
import { numberIn, numberProblem } from './CommonFields.tsx';
import { inviteName } from './inviteText.ts';
import { ReplaceLink, ResetCode } from './ShowOnceDialogs.tsx';

export type InviteTask =
  | { what: 'edit' | 'replace' | 'code'; invite: ManagedInvite }
  | { what: 'revoke'; invites: ManagedInvite[] };

type InviteDialogProps = { asked: InviteTask; onClose: () => void; onDone: () => void };

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

function EditInvite({ invite, onClose }: { invite: ManagedInvite; onClose: () => void }) {
  const { session } = useAdmin();
  const term = useRetentionConfirm();
  const [label, setLabel] = useState(invite.label);
  const [keep, setKeep] = useState(invite.keepDays?.toString() ?? '');
  const [days, setDays] = useState('');
  const expires = invite.state !== 'BOUND';

  async function save() {
    if (label.trim() === '') return texts.needed;
    const wrong = numberProblem(keep, KEEP_DAYS_MAX) ?? numberProblem(days, INVITE_DAYS_MAX);
    if (wrong !== null) return wrong;
    const extension = numberIn(days, INVITE_DAYS_MAX);
    const keepDays = numberIn(keep, KEEP_DAYS_MAX);
    // Send only changed fields, so that a colleague's changes stay.
    const body = {
      ...(label.trim() !== invite.label && { label }),
      ...(keepDays !== invite.keepDays && { keepDays }),
      ...(expires && extension !== null && { days: extension }),
    };
    if (Object.keys(body).length === 0) return undefined;
    const why = 'keepDays' in body ? await term.ask({ days: keepDays, inviteId: invite.id }) : undefined;
    if (why !== undefined) return why;
    return session.api('updateInvite', { params: { id: invite.id }, body });
  }

  return (
    <>
      <FormDialog
        title={fillText(texts.editTitle, { label: inviteName(invite) })}
        action={adminTexts.save}
        onSubmit={save}
        say={(answer) => answer && adminTexts.saved}
        onClose={onClose}
      >
        <TextField
          label={texts.label}
          value={label}
          maxLength={INVITE_LABEL_MAX}
          required
          onChange={setLabel}
        />
        {expires && (
          <TextField
            label={texts.extend}
            hint={fillText(texts.extendHint, { date: dayLabel(invite.expiresAt, Date.now()) })}
            value={days}
            inputMode="numeric"
            error={numberProblem(days, INVITE_DAYS_MAX)}
            onChange={setDays}
          />
        )}
        <TextField
          label={texts.keepDays}
          hint={texts.keepHint}
          value={keep}
          inputMode="numeric"
          error={numberProblem(keep, KEEP_DAYS_MAX)}
          onChange={setKeep}
        />
      </FormDialog>
      {term.question}
    </>
  );
}

type RevokeInvitesProps = { invites: ManagedInvite[]; onClose: () => void; onDone: () => void };

function RevokeInvites({ invites, ...rest }: RevokeInvitesProps) {
  const { session } = useAdmin();
  const count = invites.length;
  const callEach = useChunks(
    invites.map(({ id }) => id),
    INVITES_AT_ONCE,
  );
  return (
    <FormDialog
      title={
        count === 1
          ? fillText(texts.revokeOneTitle, { label: inviteName(invites[0] ?? { label: '' }) })
          : fillText(texts.revokeManyTitle, { count })
      }
      note={fillText(texts.revokeNote, { count, text: commonTexts.inviteRevoked })}
      action={texts.revoke}
      danger
      onSubmit={() => callEach((chunk) => session.api('revokeInvites', { body: { ids: chunk } }))}
      say={fillText(texts.revoked, { count })}
      {...rest}
    />
  );
}
