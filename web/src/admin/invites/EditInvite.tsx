import { INVITE_DAYS_MAX } from '@settee/protocol/model/invite';
import { INVITE_LABEL_MAX, KEEP_DAYS_MAX, type ManagedInvite } from '@settee/protocol/model/managedInvite';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useState } from 'react';
import { dayLabel } from '../../browser/times.ts';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
import { useAdmin } from '../context.ts';
import { TextField } from '../parts/TextField.tsx';
import { useTermQuestion } from '../retention/useTermQuestion.tsx';
import { inviteName } from './inviteName.ts';
import { numberIn, numberProblem } from './numbers.ts';

/** What can still be changed about an invite. */
export function EditInvite({ invite, onClose }: { invite: ManagedInvite; onClose: () => void }) {
  const { session } = useAdmin();
  const toasts = useToasts();
  const term = useTermQuestion();
  const [label, setLabel] = useState(invite.label);
  const [keep, setKeep] = useState(invite.keepDays?.toString() ?? '');
  const [days, setDays] = useState('');
  const expires = invite.state !== 'BOUND';

  async function save(): Promise<string | undefined> {
    if (label.trim() === '') return texts.needed;
    const wrong = numberProblem(keep, KEEP_DAYS_MAX) ?? numberProblem(days, INVITE_DAYS_MAX);
    if (wrong !== null) return wrong;
    const extension = numberIn(days, INVITE_DAYS_MAX);
    const keepDays = numberIn(keep, KEEP_DAYS_MAX);
    // Only what was changed here: what a colleague changed meanwhile stays.
    const body = {
      ...(label.trim() !== invite.label && { label }),
      ...(keepDays !== invite.keepDays && { keepDays }),
      ...(expires && extension !== null && { days: extension }),
    };
    if (Object.keys(body).length === 0) return undefined;
    const why = 'keepDays' in body ? await term.ask({ days: keepDays, inviteId: invite.id }) : undefined;
    if (why !== undefined) return why;
    const saved = await session.api('updateInvite', { params: { id: invite.id }, body });
    if (!saved.ok) return saved.text;
    toasts.show({ text: adminTexts.saved });
    return undefined;
  }

  return (
    <>
      <FormDialog
        title={fillText(texts.editTitle, { label: inviteName(invite) })}
        action={adminTexts.save}
        onClose={onClose}
        onSubmit={save}
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
