import { INVITE_LABEL_MAX } from '@settee/protocol/model/managedInvite';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useEffect, useRef, useState } from 'react';
import { randomId } from '../../net/randomId.ts';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { useAdmin } from '../context.ts';
import { LeaveGuard } from '../parts/LeaveGuard.tsx';
import { useDocumentTitle } from '../parts/Page.tsx';
import { TextField } from '../parts/TextField.tsx';
import { type CreatedInvite, maySucceedLater } from './batchRun.ts';
import { CommonInputs, NoDesks, useCommonFields } from './CommonFields.tsx';
import { CreateAnotherButton, CreatedLink } from './CreatedLink.tsx';
import styles from './forms.module.css';

/** Creates one invite, then shows its link. */
export function OneInvite({ aliases }: { aliases: readonly string[] }) {
  const [made, setMade] = useState<CreatedInvite | null>(null);
  if (made) return <CreatedInviteView made={made} onAnother={() => setMade(null)} />;
  return aliases.length > 0 ? <OneForm aliases={aliases} onMade={setMade} /> : <NoDesks />;
}

function CreatedInviteView({ made, onAnother }: { made: CreatedInvite; onAnother: () => void }) {
  const title = useRef<HTMLHeadingElement>(null);
  const [saved, setSaved] = useState(false);
  useEffect(() => title.current?.focus(), []);
  useDocumentTitle(fillText(texts.made, { count: 1 }));
  return (
    <>
      <h2 ref={title} className={styles.title} tabIndex={-1}>
        <bdi>{made.label}</bdi>
      </h2>
      <CreatedLink invite={made} onSaved={() => setSaved(true)}>
        <CreateAnotherButton title={texts.dropLinkTitle} unsaved={!saved} onAnother={onAnother} />
      </CreatedLink>
      <LeaveGuard unsaved={!saved} title={texts.dropLinkTitle} note={texts.dropNote} />
    </>
  );
}

type Pending = { request: string; batchId: string; id: string; attempt: number };

function OneForm({ aliases, onMade }: { aliases: readonly string[]; onMade: (made: CreatedInvite) => void }) {
  const { session } = useAdmin();
  const fields = useCommonFields(aliases);
  const [label, setLabel] = useState('');
  const { busy, error, submit } = useChange();
  // Kept while the outcome is unknown: submitting again repeats the same invite instead of creating a second
  // one.
  const pending = useRef<Pending | null>(null);

  async function create() {
    if (!fields.value) return '';
    // A repeated invite keeps its original fields, so changed fields make a new invite.
    const request = JSON.stringify([label, fields.value]);
    if (pending.current?.request !== request)
      pending.current = { request, batchId: randomId(), id: randomId(), attempt: 0 };
    pending.current.attempt += 1;
    const { batchId, id, attempt } = pending.current;
    const invites = [{ id, label, ...fields.value }];
    const answer = await session.api('createInvites', { body: { batchId, attempt, invites } });
    if (answer.ok || !maySucceedLater(answer.status)) pending.current = null;
    const [link] = answer.ok ? answer.answer.links : [];
    if (link) onMade({ ...link, label: label.trim(), alias: fields.value.alias });
    return answer;
  }

  return (
    <form className={styles.form} onSubmit={submit(create)}>
      <TextField
        label={texts.label}
        hint={texts.labelHint}
        value={label}
        maxLength={INVITE_LABEL_MAX}
        required
        onChange={setLabel}
      />
      <CommonInputs aliases={aliases} fields={fields} />
      <FieldError text={error} />
      <div className={`${styles.submit} medium`}>
        <Button type="submit" disabled={busy || label.trim() === '' || !fields.value}>
          {texts.create}
        </Button>
      </div>
    </form>
  );
}
