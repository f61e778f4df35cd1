import { DESK_NAME_MAX, DeskName } from '@settee/protocol/model/deskName';
import { Email, PERSON_NAME_MAX, type PersonDraft, PersonName } from '@settee/protocol/model/person';
import type { Desk, Role } from '@settee/protocol/model/staff';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { staffMailTexts } from '@settee/protocol/texts/staffMailTexts';
import { useId, useState } from 'react';
import * as v from 'valibot';
import { listText } from '../../browser/listText.ts';
import type { Failure } from '../../net/api.ts';
import { FormDialog, type FormDialogProps } from '../../staff/dialog/FormDialog.tsx';
import { Select } from '../parts/Select.tsx';
import { ShownOnceDialog } from '../parts/ShownOnceDialog.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useProfiles } from '../profiles/useProfiles.ts';
import {
  type DeskNames,
  deskOption,
  useDeskNames,
  useDesks,
  useDesksAlike,
  useProfileOf,
} from '../useDesks.tsx';
import { DeskChoice } from './DeskChoice.tsx';
import { deskOf } from './deskOf.ts';
import { MoveFields, useMoveDesk } from './MoveFields.tsx';
import { type NewDesk, placed, useNewDesk } from './useNewDesk.tsx';

type PersonDialogProps<A> = Pick<
  FormDialogProps<Promise<{ ok: true; answer: A } | string | undefined>>,
  'title' | 'action' | 'say' | 'onDone' | 'onClose'
> & { start: Start; save: SavePerson<A> };

const roles = [
  { value: 'handler', text: peopleTexts.handler },
  { value: 'admin', text: peopleTexts.admin },
] as const;

/** The form for a new and for an existing person. */
export function PersonDialog<A>({ start, save, ...rest }: PersonDialogProps<A>) {
  const [draft, setDraft] = useState<Draft>(() => {
    const { name, email, role, desk } = start;
    return { name, email, role, desk };
  });
  const { errors, load, fields, submit } = usePersonForm(start, save);
  const desks = useDesks();
  const names = useDeskNames();
  const listId = useId();
  const wanted = deskOf(draft.desk, names, start.alias);
  const { several } = useProfiles();
  const newDesk = useNewDesk(wanted.alias);
  const targets = useDesksAlike([start.alias ?? '']);
  const sameProfile = useProfileOf()(start.alias ?? '')?.slug === newDesk.slug;

  function field(name: 'name' | 'email' | 'desk') {
    return {
      label: peopleTexts[name],
      value: draft[name],
      error: errors[name],
      onChange: (value: string) => setDraft({ ...draft, [name]: value }),
    };
  }

  return (
    // The browser's own messages disappear and are not our texts.
    <FormDialog {...rest} noValidate onSubmit={() => newDesk.problem ?? submit(draft, newDesk)}>
      <TextField {...field('name')} required maxLength={PERSON_NAME_MAX} autoComplete="off" />
      <TextField {...field('email')} required type="email" autoComplete="off" spellCheck={false} />
      <Select
        label={peopleTexts.role}
        value={draft.role}
        onChange={(role) => setDraft({ ...draft, role })}
        options={roles}
      />
      {/* Several desks have a dialog of their own. */}
      {!start.desks && several && <DeskChoice {...field('desk')} alias={wanted.alias} newDesk={newDesk} />}
      {!start.desks && !several && (
        <TextField
          {...field('desk')}
          hint={
            draft.role === 'admin'
              ? `${peopleTexts.deskHint} ${peopleTexts.deskHintAdmin}`
              : peopleTexts.deskHint
          }
          required={draft.role !== 'admin'}
          maxLength={DESK_NAME_MAX}
          list={listId}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <datalist id={listId}>
        {desks.map(({ alias, people }) => (
          <option key={alias} value={names[alias] ?? alias}>
            {listText(people)}
          </option>
        ))}
      </datalist>
      {load && wanted.alias !== start.alias && (
        <MoveFields
          lead={fillText(peopleTexts.deskLeft, { alias: names[start.alias ?? ''] ?? start.desk })}
          load={load}
          desks={deskOptions(targets, names, start.alias, { ...wanted, person: draft.name, sameProfile })}
          {...fields}
        />
      )}
    </FormDialog>
  );
}

/** All other desks of the profile, and the person's new desk, to which the work may move along. */
function deskOptions(
  desks: readonly Pick<Desk, 'alias' | 'people'>[],
  names: DeskNames,
  from: string | null,
  {
    alias,
    deskName,
    person,
    sameProfile,
  }: ReturnType<typeof deskOf> & { person: string; sameProfile: boolean },
) {
  const others = desks.filter((each) => each.alias !== from);
  const isNew = alias !== null && sameProfile && !others.some((each) => each.alias === alias);
  const known = deskName === undefined || alias === null ? names : { ...names, [alias]: deskName };
  return [...(isNew ? [{ alias, people: [person] }] : []), ...others].map((each) => deskOption(each, known));
}

type LinkDialogProps = {
  name: string;
  email: string;
  link: string;
  /** Also by e-mail. */
  linkSent: boolean;
  onClose: () => void;
};

export function LinkDialog({ name, email, link, linkSent, onClose }: LinkDialogProps) {
  const note = fillText(peopleTexts.linkNote, { name });
  return (
    <ShownOnceDialog
      title={fillText(peopleTexts.linkTitle, { name })}
      note={linkSent ? `${note} ${fillText(staffMailTexts.linkSent, { email })}` : note}
      label={peopleTexts.link}
      value={link}
      copyText={adminTexts.copyLink}
      onClose={onClose}
    />
  );
}

/** Form fields. An empty desk means none. */
type Draft = { name: string; email: string; role: Role; desk: string };

/** The form of a person at this desk. */
export type Start = Draft & { alias: string | null; desks?: readonly string[] | undefined };

type Load = { conversations: number; invites: number };

export type SavePerson<A> = {
  save(person: PersonDraft, bringAlong: boolean): Promise<Failure | { ok: true; answer: A }>;
  /** The work at the desk that would be left without staff. */
  readLoad(): Promise<Load>;
};

type Errors = { name?: string; email?: string; desk?: string };

/** Saves a person and moves the work of a desk that would be left without staff. */
function usePersonForm<A>(start: Start, { save, readLoad }: SavePerson<A>) {
  const names = useDeskNames();
  const [errors, setErrors] = useState<Errors>({});
  const [load, setLoad] = useState<Load>();
  const { to, move, fields } = useMoveDesk(start.alias);

  async function refused(failure: Failure): Promise<string> {
    if (failure.code === 'desk_in_use') setLoad(await readLoad());
    if (failure.code !== 'email_taken') return failure.text;
    setErrors({ email: failure.text });
    return '';
  }

  async function submit({ desk, ...person }: Draft, { deskProfiles }: NewDesk) {
    const problems = problemsOf({ desk, ...person });
    setErrors(problems);
    if (Object.keys(problems).length > 0) return '';
    let saved: { ok: true; answer: A } | undefined;
    const place = { ...deskOf(desk, names, start.alias), ...placed(deskProfiles) };
    for (const step of savingSteps(start, { ...person, ...place }, to)) {
      if (step === 'move') {
        const wrong = await move();
        if (wrong !== undefined) return wrong;
      } else {
        const done = await save(step.person, step.bringAlong);
        if (!done.ok) return refused(done);
        saved = done;
      }
    }
    return saved;
  }

  return { errors, load, fields, submit };
}

type SavingStep = { person: PersonDraft; bringAlong: boolean } | 'move';

/**
 * Work that moves along with the person moves after saving. Work for another desk moves before, but only once all other
 * fields are saved, so that a refusal never leaves an emptied desk. `to` is empty if no work moves. None moves from a desk
 * that the person keeps, also if `to` was chosen before.
 */
export function savingSteps({ role, alias }: Start, person: PersonDraft, to: string): SavingStep[] {
  if (to === '' || person.alias === alias) return [{ person, bringAlong: false }];
  if (to === person.alias) return [{ person, bringAlong: true }, 'move'];
  const { deskName, ...others } = person;
  return [{ person: { ...others, role, alias }, bringAlong: false }, 'move', { person, bringAlong: false }];
}

/** Errors found before the call, by field. */
export function problemsOf({ name, email, role, desk }: Draft): Errors {
  const wrongName = firstIssue(PersonName, name);
  const wrongEmail = firstIssue(Email, email);
  const wrongDesk = desk.trim() === '' && role === 'admin' ? undefined : firstIssue(DeskName, desk);
  return {
    ...(wrongName !== undefined && { name: wrongName }),
    ...(wrongEmail !== undefined && { email: wrongEmail }),
    ...(wrongDesk !== undefined && { desk: wrongDesk }),
  };
}

function firstIssue(schema: v.GenericSchema, value: string): string | undefined {
  const parsed = v.safeParse(schema, value);
  return parsed.success ? undefined : parsed.issues[0].message;
}
