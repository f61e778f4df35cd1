import { INVITE_LABEL_MAX, INVITES_AT_ONCE, type InviteDraft } from '@settee/protocol/model/managedInvite';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { randomId } from '../../net/randomId.ts';
import { Card } from '../../staff/Card.tsx';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useAdmin } from '../context.ts';
import { LeaveGuard } from '../parts/LeaveGuard.tsx';
import { Link, useNavigate } from '../parts/links.tsx';
import { Page, useDocumentTitle } from '../parts/Page.tsx';
import { QueryContent } from '../parts/QueryContent.tsx';
import { Segments } from '../parts/Segments.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useProfiles, useScope } from '../profiles/useProfiles.ts';
import { useAdminQuery } from '../useAdminQuery.ts';
import { useProfileOf } from '../useDesks.tsx';
import { type BatchRun, type BatchState, type CreatedInvite, maySucceedLater } from './batchRun.ts';
import { CreateAnotherButton, CreatedLink } from './CreatedLink.tsx';
import { CreatedLinks } from './CreatedLinks.tsx';
import forms from './forms.module.css';
import {
  CommonInputs,
  createText,
  ImportForm,
  NoDesks,
  numberIn,
  useCommonFields,
  wholeNumberText,
} from './InviteForms.tsx';
import styles from './NewInvitePage.module.css';
import { useBatch } from './useBatch.ts';

const kinds = [
  { value: 'new', text: texts.one, title: texts.newInvite },
  { value: 'bulk', text: texts.several, title: texts.severalTitle },
  { value: 'import', text: texts.importMany, title: texts.importTitle },
] as const;
type Kind = (typeof kinds)[number]['value'];

/** One page for all three forms, so that the focus stays on the switch between them. */
export function NewInvitePage({ kind }: { kind: Kind }) {
  const navigate = useNavigate();
  const desks = useAdminQuery('staff', 'readDesks', {});
  const offered = useOfferedDesks();
  const { known } = useProfiles();
  return (
    <Page
      title={kinds.find(({ value }) => value === kind)?.title ?? texts.newInvite}
      actions={
        <Segments
          label={texts.kinds}
          value={kind}
          options={kinds}
          onChange={(chosen) => void navigate(`/invites/${chosen}`, { replace: true })}
        />
      }
    >
      <p className={styles.back}>
        <Link to="/invites">
          <Icon name="back" size={17} />
          {texts.backToList}
        </Link>
      </p>
      <Card className={styles.card}>
        <QueryContent query={desks} thing={texts.deskThing}>
          {({ desks: found }) =>
            known && <Form kind={kind} aliases={offered(found.map(({ alias }) => alias))} />
          }
        </QueryContent>
      </Card>
    </Page>
  );
}

/** Those of the shown profile first. An archived profile gets no new invites. */
function useOfferedDesks() {
  const { profile } = useScope();
  const profileOf = useProfileOf();
  return (aliases: readonly string[]) => {
    const active = aliases.filter((alias) => (profileOf(alias)?.archivedAt ?? null) === null);
    const isShown = (alias: string) => profileOf(alias)?.slug === profile;
    return [...active.filter(isShown), ...active.filter((alias) => !isShown(alias))];
  };
}

function Form({ kind, aliases }: { kind: Kind; aliases: readonly string[] }) {
  const nobody = aliases.length === 0 && <NoDesks />;
  switch (kind) {
    case 'new':
      return <OneInvite aliases={aliases} />;
    case 'bulk':
      return <Batch>{(start) => nobody || <BulkForm aliases={aliases} onCreate={start} />}</Batch>;
    case 'import':
      return <Batch>{(start) => nobody || <ImportForm aliases={aliases} onCreate={start} />}</Batch>;
  }
}

/** The form, then the progress, then the created links. */
function Batch({ children }: { children: (start: BatchRun['start']) => ReactNode }) {
  const { run, state } = useBatch();
  if (state.phase === 'idle') return children(run.start);
  if (state.phase === 'running') return <Progress state={state} onStop={run.stop} />;
  return <CreatedLinks state={state} onSaved={run.markSaved} onContinue={run.resume} onAgain={run.clear} />;
}

function Progress({ state, onStop }: { state: BatchState; onStop: () => void }) {
  const { made, total, waiting, stopping } = state;
  const count = fillText(texts.progressCount, { done: made.length, total });
  return (
    <div>
      <p className={styles.title}>{texts.progress}</p>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label={texts.progress}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={made.length}
        aria-valuetext={count}
      >
        <span style={{ inlineSize: `${(made.length / total) * 100}%` }} />
      </div>
      <div className={styles.foot}>
        <p>{count}</p>
        <p role="status">{waiting ? texts.waiting : stopping ? texts.stopping : ''}</p>
        <Button look="outline" disabled={stopping} onClick={onStop}>
          {texts.stop}
        </Button>
      </div>
    </div>
  );
}

type BulkFormProps = {
  aliases: readonly string[];
  onCreate: (rows: Omit<InviteDraft, 'id'>[]) => void;
};

/** Room for ', no. 500'. */
const PREFIX_MAX = INVITE_LABEL_MAX - 9;
const COUNT_AT_FIRST = 10;

/** Several invites that differ only in their number. */
function BulkForm({ aliases, onCreate }: BulkFormProps) {
  const fields = useCommonFields(aliases);
  const [prefix, setPrefix] = useState('');
  const [typed, setTyped] = useState(String(COUNT_AT_FIRST));
  const count = numberIn(typed, INVITES_AT_ONCE);
  const named = (number: number) =>
    fillText(texts.numbered, { prefix: prefix.trim() || texts.prefixExample, number });

  function submit(event: FormEvent): void {
    event.preventDefault();
    const { value } = fields;
    if (!value || count === null || prefix.trim() === '') return;
    onCreate(Array.from({ length: count }, (_, index) => ({ label: named(index + 1), ...value })));
  }

  return (
    <form className={forms.form} onSubmit={submit}>
      <div className={forms.pair}>
        <TextField
          label={texts.prefix}
          hint={fillText(texts.prefixHint, { first: named(1), second: named(2) })}
          value={prefix}
          maxLength={PREFIX_MAX}
          required
          onChange={setPrefix}
        />
        <TextField
          label={texts.count}
          value={typed}
          inputMode="numeric"
          required
          error={count === null ? wholeNumberText(INVITES_AT_ONCE) : null}
          onChange={setTyped}
        />
      </div>
      <CommonInputs aliases={aliases} fields={fields} />
      <div className={`${forms.submit} medium`}>
        <Button type="submit" disabled={prefix.trim() === '' || count === null || !fields.value}>
          {createText(count ?? 0)}
        </Button>
      </div>
    </form>
  );
}

/** Creates one invite, then shows its link. */
function OneInvite({ aliases }: { aliases: readonly string[] }) {
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
      <h2 ref={title} className={forms.title} tabIndex={-1}>
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
    <form className={forms.form} onSubmit={submit(create)}>
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
      <div className={`${forms.submit} medium`}>
        <Button type="submit" disabled={busy || label.trim() === '' || !fields.value}>
          {texts.create}
        </Button>
      </div>
    </form>
  );
}
