import { INVITE_DAYS_MAX } from '@settee/protocol/model/invite';
import {
  INVITE_LABEL_MAX,
  INVITES_AT_ONCE,
  KEEP_DAYS_MAX,
  type ManagedInvite,
} from '@settee/protocol/model/managedInvite';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { texts as commonTexts } from '@settee/protocol/texts/texts';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { dayLabel } from '../../browser/times.ts';
import { useCopy } from '../../browser/useCopy.ts';
import type { Failure } from '../../net/api.ts';
import buttons from '../../staff/dialog/DialogButtons.module.css';
import { Dialog, FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { useAdmin } from '../context.ts';
import { useChunks } from '../inChunks.ts';
import { TextField } from '../parts/TextField.tsx';
import { useRetentionConfirm } from '../retention/useRetentionConfirm.tsx';
import { CreatedLink } from './CreatedLink.tsx';
import styles from './dialogs.module.css';
import { numberIn, numberProblem } from './InviteForms.tsx';
import { inviteName } from './inviteText.ts';

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

type ShowOnceDialogProps = {
  title: string;
  doneTitle: string;
  action: string;
  /** The answer is what is shown once. */
  onConfirm: () => Promise<{ ok: true; answer: ReactElement } | Failure>;
  onClose: () => void;
  children: ReactNode;
};

/** A confirmation whose result is shown once, in the same dialog. It stays open until it is confirmed. */
function ShowOnceDialog({ title, doneTitle, action, onConfirm, onClose, children }: ShowOnceDialogProps) {
  const { busy, error, submit } = useChange();
  const [result, setResult] = useState<ReactElement | null>(null);
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result) shown.current?.focus();
  }, [result]);

  return (
    <Dialog title={result ? doneTitle : title} held={busy || result !== null} onClose={onClose}>
      {(close) =>
        result ? (
          <>
            <div ref={shown} className={styles.made} role="status" tabIndex={-1}>
              {result}
            </div>
            <div className={buttons.buttons}>
              <Button onClick={close}>{texts.done}</Button>
            </div>
          </>
        ) : (
          <form onSubmit={submit(onConfirm, { done: setResult })}>
            {children}
            <FieldError text={error} />
            <div className={buttons.buttons}>
              <Button look="outline" disabled={busy} onClick={close}>
                {consoleTexts.cancel}
              </Button>
              <Button type="submit" disabled={busy}>
                {action}
              </Button>
            </div>
          </form>
        )
      }
    </Dialog>
  );
}

/** Creates another link for the invite. */
function ReplaceLink({ invite, onClose }: { invite: ManagedInvite; onClose: () => void }) {
  const { session } = useAdmin();
  const { id, handlerAlias, state } = invite;
  const label = inviteName(invite);

  async function replace() {
    const replaced = await session.api('replaceLink', { params: { id } });
    if (!replaced.ok) return replaced;
    const made = { ...replaced.answer, label, alias: handlerAlias };
    return { ok: true as const, answer: <CreatedLink invite={made} lasting={state === 'BOUND'} /> };
  }

  return (
    <ShowOnceDialog
      title={fillText(texts.replaceTitle, { label })}
      doneTitle={fillText(texts.replacedTitle, { label })}
      action={texts.replaceLink}
      onConfirm={replace}
      onClose={onClose}
    >
      <p className={styles.note}>{texts.replaceNote}</p>
      {state === 'BOUND' && <p className={styles.note}>{texts.replaceNoteBound}</p>}
    </ShowOnceDialog>
  );
}

/** Creates a new continue code for the administrator to pass on. */
function ResetCode({ invite, onClose }: { invite: ManagedInvite; onClose: () => void }) {
  const { session } = useAdmin();
  const { id } = invite;
  const label = inviteName(invite);

  async function reset() {
    const made = await session.api('resetCode', { params: { id } });
    return made.ok ? { ok: made.ok, answer: <Code code={made.answer.continueCode} /> } : made;
  }

  return (
    <ShowOnceDialog
      title={fillText(texts.resetTitle, { label })}
      doneTitle={fillText(texts.resetDoneTitle, { label })}
      action={texts.resetCode}
      onConfirm={reset}
      onClose={onClose}
    >
      <p className={styles.note}>{texts.resetNote}</p>
    </ShowOnceDialog>
  );
}

function Code({ code }: { code: string }) {
  const { copied, copy } = useCopy();
  return (
    <>
      <p className={styles.code}>{code}</p>
      <p className={styles.note}>{texts.codeShownOnce}</p>
      <Button look="outline" onClick={() => void copy(code)}>
        {copied ? adminTexts.copied : texts.copyCode}
      </Button>
    </>
  );
}
