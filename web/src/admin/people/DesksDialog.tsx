import { PEOPLE_QUERY_MAX, type Person } from '@settee/protocol/calls/peopleCalls';
import { DESK_NAME_MAX } from '@settee/protocol/model/deskName';
import type { StaffProfile } from '@settee/protocol/model/profile';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { useRef, useState } from 'react';
import { listText } from '../../browser/listText.ts';
import type { Api } from '../../net/api.ts';
import { CheckField } from '../../staff/CheckField.tsx';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { ProfilePicture } from '../../staff/ProfilePicture.tsx';
import { Button } from '../../ui/Button.tsx';
import { useAdmin } from '../context.ts';
import { TextField } from '../parts/TextField.tsx';
import { useProfiles } from '../profiles/useProfiles.ts';
import {
  type DeskNames,
  deskOption,
  useDeskNames,
  useDesks,
  useDesksBeside,
  useProfileOf,
} from '../useDesks.tsx';
import styles from './DesksDialog.module.css';
import { deskOf } from './deskOf.ts';
import { MoveFields, useMoveDesk } from './MoveFields.tsx';
import { desksOf } from './personColumns.tsx';
import { placed, useNewDesk } from './useNewDesk.tsx';

export const namesText = (aliases: readonly string[], names: DeskNames): string =>
  listText(aliases.map((alias) => names[alias] ?? alias));

type DesksDialogProps = { person: Person; ask: Api; onClose: () => void };

type Left = { alias: string; conversations: number; invites: number };

/** The desks where a person answers. The work of a desk that loses its last person is moved first. */
export function DesksDialog({ person, ask, onClose }: DesksDialogProps) {
  const { session } = useAdmin();
  const { id, name, email, role } = person;
  const [own] = useState(() => desksOf(person));
  const [chosen, setChosen] = useState(own);
  const removed = own.filter((alias) => !chosen.includes(alias));
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const [newNames, setNewNames] = useState<DeskNames>({});
  const [left, setLeft] = useState<readonly Left[]>([]);
  const staffed = useDesks();
  const names = { ...useDeskNames(), ...newNames };
  const leftAliases = left.map(({ alias }) => alias);
  const { to, move, fields } = useMoveDesk(leftAliases);
  const targets = useDesksBeside(leftAliases).filter(
    ({ alias }) => !own.includes(alias) || chosen.includes(alias),
  );
  const nameOf = (alias: string) => names[alias] ?? alias;
  const { several, profiles } = useProfiles();
  const [newProfiles, setNewProfiles] = useState<DeskNames>({});
  const profileOfDesk = useProfileOf();
  const profileOf = (alias: string) =>
    alias in newProfiles ? profiles.find(({ slug }) => slug === newProfiles[alias]) : profileOfDesk(alias);
  const others = [...new Set([...staffed.map(({ alias }) => alias), ...Object.keys(names)])]
    .filter((alias) => !own.includes(alias))
    .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
  const wanted = typed.trim().toLowerCase();
  const shown = [...own, ...others].filter((alias) =>
    `${nameOf(alias)} ${profileOf(alias)?.displayName ?? ''}`.toLowerCase().includes(wanted),
  );
  const typedDesk = deskOf(typed, names, null);
  const isNew = typedDesk.alias !== null && ![...own, ...others].includes(typedDesk.alias);
  const newDesk = useNewDesk(isNew ? typedDesk.alias : null);

  function choose(alias: string, on: boolean): void {
    setChosen(on ? [...new Set([...chosen, alias])] : chosen.filter((each) => each !== alias));
    setLeft([]);
    fields.onChange('');
    setTyped('');
  }

  function add(): void {
    if (!isNew || typedDesk.alias === null || newDesk.problem) return;
    setNewNames({ ...newNames, [typedDesk.alias]: typedDesk.deskName ?? typedDesk.alias });
    setNewProfiles({ ...newProfiles, ...newDesk.deskProfiles });
    choose(typedDesk.alias, true);
  }

  /** The typed name: a desk of this name, or the first one that matches and is not ticked, or a new one. */
  function chooseTyped(): void {
    const found = isNew ? shown.find((alias) => !chosen.includes(alias)) : typedDesk.alias;
    if (found == null) add();
    else choose(found, true);
  }

  /** The desks of the person as of now. */
  async function readDesks(): Promise<readonly string[]> {
    const read = await session.api('readPeople', { query: { q: email.slice(0, PEOPLE_QUERY_MAX) } });
    const found = read.ok ? read.answer.people.find((each) => each.id === id) : undefined;
    return desksOf(found ?? person);
  }

  /** The work that would be left at the desks that the person leaves. */
  async function readLeft(): Promise<Left[]> {
    const read = await session.api('readLeaving', { params: { id } });
    if (!read.ok) return [];
    const { desks = [{ alias: own[0] ?? '', ...read.answer }] } = read.answer;
    return desks.filter(
      ({ alias, conversations, invites }) => removed.includes(alias) && conversations + invites > 0,
    );
  }

  async function save() {
    // The person sees first what their text has chosen.
    if (wanted !== '') {
      chooseTyped();
      return (shown.length === 0 && newDesk.problem) || '';
    }
    // A colleague may have changed the others. The first desk stays the first one, also if it was ticked again.
    const now = await readDesks();
    const added = chosen.filter((alias) => !own.includes(alias));
    const desks = [...new Set([...now.filter((alias) => !removed.includes(alias)), ...added])];
    if (desks.length === 0 && role !== 'admin') return peopleTexts.deskMissing;
    if (left.length > 0) {
      const problem = to === '' ? peopleTexts.deskInUse : await move();
      if (problem !== undefined) return problem;
    } else if (removed.length > 0) {
      const found = await readLeft();
      setLeft(found);
      if (found.length > 0) return '';
    }
    const ofChosen = (all: DeskNames) =>
      Object.fromEntries(Object.entries(all).filter(([alias]) => chosen.includes(alias)));
    const deskNames = ofChosen(newNames);
    const body = {
      person: {
        desks,
        ...(Object.keys(deskNames).length > 0 && { deskNames }),
        ...placed(ofChosen(newProfiles)),
      },
      bringAlong: false,
    };
    const saved = await ask('changePerson', { params: { id }, body });
    // The work at a desk changed meanwhile.
    if (!saved.ok && saved.code === 'desk_in_use') setLeft(await readLeft());
    return saved;
  }

  return (
    <FormDialog
      title={fillText(peopleTexts.desksTitle, { name })}
      note={peopleTexts.desksNote}
      action={adminTexts.save}
      onSubmit={save}
      say={fillText(peopleTexts.changed, { name })}
      onClose={onClose}
    >
      <TextField
        ref={field}
        label={several ? peopleTexts.findProfileOrDesk : peopleTexts.findDesk}
        value={typed}
        onChange={setTyped}
        maxLength={DESK_NAME_MAX}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing || wanted === '') return;
          event.preventDefault();
          chooseTyped();
        }}
      />
      <fieldset className={styles.desks}>
        <legend className="hidden">{peopleTexts.desks}</legend>
        {shown.map((alias) => (
          <CheckField
            key={alias}
            label={<DeskLabel name={nameOf(alias)} profile={profileOf(alias)} />}
            hint={!several && listText(staffed.find((desk) => desk.alias === alias)?.people ?? [])}
            checked={chosen.includes(alias)}
            onChange={(on) => choose(alias, on)}
          />
        ))}
        {newDesk.select && <div className={styles.new}>{newDesk.select}</div>}
        {isNew && (
          <Button
            look="bare"
            className={styles.add}
            disabled={newDesk.problem !== undefined}
            onClick={() => {
              add();
              // The button disappears.
              field.current?.focus();
            }}
          >
            {fillText(peopleTexts.addDesk, { desk: typed.trim() })}
          </Button>
        )}
      </fieldset>
      {left.length > 0 && (
        <MoveFields
          lead={fillText(peopleTexts.deskLeft, {
            alias: namesText(leftAliases, names),
          })}
          load={{
            conversations: left.reduce((sum, { conversations }) => sum + conversations, 0),
            invites: left.reduce((sum, { invites }) => sum + invites, 0),
          }}
          several={left.length > 1}
          desks={targets.map((desk) => deskOption(desk, names))}
          {...fields}
        />
      )}
    </FormDialog>
  );
}

/** With several profiles, the desk has the picture and the name of its own. */
function DeskLabel({ name, profile }: { name: string; profile: StaffProfile | undefined }) {
  if (profile === undefined) return <bdi>{name}</bdi>;
  return (
    <span className={styles.desk}>
      <ProfilePicture profile={profile} size={28} />
      <bdi className="cut">{name}</bdi> <small className="cut">{profile.displayName}</small>
    </span>
  );
}
