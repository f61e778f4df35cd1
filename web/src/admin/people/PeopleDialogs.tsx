import type { Person } from '@settee/protocol/calls/peopleCalls';
import type { PersonDraft } from '@settee/protocol/model/person';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import type { Dispatch, SetStateAction } from 'react';
import type { Api } from '../../net/api.ts';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { changedFields } from '../changedFields.ts';
import { useAdmin } from '../context.ts';
import { useProfiles } from '../profiles/useProfiles.ts';
import { useAdminQuery } from '../useAdminQuery.ts';
import { deskOption, useDeskNames, useDesksBeside } from '../useDesks.tsx';
import { DesksDialog, namesText } from './DesksDialog.tsx';
import { MoveFields, useMoveDesk } from './MoveFields.tsx';
import { LinkDialog, PersonDialog, type SavePerson, type Start } from './PersonDialog.tsx';
import { desksOf } from './personColumns.tsx';

export type PersonTask = keyof typeof accessTasks | 'edit' | 'desks' | 'deactivate';

export type OpenDialog =
  | { task: 'add' }
  | ({ task: 'link' } & MadeLink)
  | { task: PersonTask; person: Person };

type PeopleDialogsProps = {
  open: OpenDialog | null;
  setOpen: Dispatch<SetStateAction<OpenDialog | null>>;
  /** Asks for the own password again where an administrator's account is concerned. */
  ask: Api;
  /** The row with the focus is about to disappear. */
  onGone: () => void;
};

const NOBODY: Start = { name: '', email: '', role: 'handler', desk: '', alias: null };

export function PeopleDialogs({ open, setOpen, ask, onGone }: PeopleDialogsProps) {
  const { session } = useAdmin();
  const names = useDeskNames();
  const { several } = useProfiles();
  if (open === null) return null;
  // Close only this dialog: the next one may be open already.
  const onClose = () => setOpen((now) => (now === open ? null : now));
  const onLink = (made: MadeLink) => setOpen({ task: 'link', ...made });

  if (open.task === 'add') {
    const adding: SavePerson<MadeLink> = {
      async save(person) {
        const added = await ask('addPerson', { body: person });
        return added.ok ? { ok: true, answer: { ...person, ...added.answer } } : added;
      },
      // A new person leaves no desk.
      readLoad: async () => ({ conversations: 0, invites: 0 }),
    };
    return (
      <PersonDialog
        key="add"
        title={peopleTexts.add}
        action={peopleTexts.addSubmit}
        start={NOBODY}
        save={adding}
        onDone={(made) => made && onLink(made)}
        onClose={onClose}
      />
    );
  }
  if (open.task === 'link') return <LinkDialog {...open} onClose={onClose} />;

  const { task, person } = open;
  const { id, name, alias } = person;
  if (task === 'deactivate') return <DeactivateDialog person={person} onDone={onGone} onClose={onClose} />;
  if (task === 'desks') return <DesksDialog key={id} person={person} ask={ask} onClose={onClose} />;
  if (task === 'edit') {
    const changing: SavePerson<PersonDraft> = {
      async save(changed, bringAlong) {
        const body = { person: changedFields<PersonDraft>(person, changed), bringAlong };
        const saved = await ask('changePerson', { params: { id }, body });
        return saved.ok ? { ok: true, answer: changed } : saved;
      },
      async readLoad() {
        const read = await session.api('readLeaving', { params: { id } });
        return read.ok ? read.answer : { conversations: 0, invites: 0 };
      },
    };
    return (
      <PersonDialog
        key={id}
        title={fillText(peopleTexts.editTitle, { name })}
        action={adminTexts.save}
        // With several profiles, desks may have the same name.
        start={{ ...person, desk: (several ? alias : names[alias ?? '']) ?? alias ?? '' }}
        save={changing}
        say={(changed) => changed && fillText(peopleTexts.changed, { name: changed.name })}
        onClose={onClose}
      />
    );
  }
  const { call, title, action, note, said } = accessTasks[task];
  return (
    <FormDialog
      title={fillText(peopleTexts.actionOn, { action: title, name })}
      note={fillText(note, { name })}
      action={action}
      danger
      onSubmit={() => ask(call, { params: { id } })}
      say={said && fillText(said, { name })}
      onDone={(answer) => 'link' in answer && onLink({ ...person, ...answer })}
      onClose={onClose}
    />
  );
}

type MadeLink = { name: string; email: string; link: string; linkSent: boolean };

/** Changes of a person's access. */
const accessTasks = {
  newLink: {
    call: 'makePasswordLink',
    title: peopleTexts.newLink,
    action: peopleTexts.newLinkSubmit,
    note: peopleTexts.newLinkNote,
    said: undefined,
  },
  signOut: {
    call: 'signOutEverywhere',
    title: peopleTexts.signOut,
    action: peopleTexts.signOut,
    note: peopleTexts.signOutNote,
    said: peopleTexts.signedOut,
  },
  resetFactor: {
    call: 'resetFactor',
    title: peopleTexts.resetFactor,
    action: peopleTexts.resetFactor,
    note: peopleTexts.resetFactorNote,
    said: peopleTexts.factorWasReset,
  },
} as const;

type DeactivateDialogProps = { person: Person; onClose: () => void; onDone: () => void };

/** Deactivates a person. If the desk would be left without staff, its work is moved first. */
function DeactivateDialog({ person, ...rest }: DeactivateDialogProps) {
  const { session } = useAdmin();
  const { id, name } = person;
  const names = useDeskNames();
  const leaving = useAdminQuery('staff', 'readLeaving', { params: { id } });
  const load = leaving.data;
  const own = desksOf(person);
  const left =
    load?.desks
      ?.filter(({ conversations, invites }) => conversations + invites > 0)
      .map(({ alias }) => alias) ?? own;
  const { to, move, fields } = useMoveDesk(left);
  const desks = useDesksBeside(left).filter(({ alias }) => !own.includes(alias));
  const holds = load !== undefined && load.conversations + load.invites > 0;

  async function deactivate() {
    if (holds) {
      const wrong = to === '' ? peopleTexts.deskInUse : await move();
      if (wrong !== undefined) return wrong;
    }
    const done = await session.api('deactivatePerson', { params: { id } });
    // The desk's work changed meanwhile: read it again.
    if (!done.ok && done.code === 'desk_in_use') void leaving.refetch();
    return done;
  }

  return (
    <FormDialog
      title={fillText(peopleTexts.deactivateTitle, { name })}
      note={peopleTexts.deactivateNote}
      action={peopleTexts.deactivate}
      danger
      onSubmit={deactivate}
      say={fillText(peopleTexts.wasDeactivated, { name })}
      {...rest}
    >
      {holds && (
        <MoveFields
          lead={fillText(peopleTexts.deskLeft, { alias: namesText(left, names) })}
          load={load}
          several={left.length > 1}
          desks={desks.map((desk) => deskOption(desk, names))}
          {...fields}
        />
      )}
    </FormDialog>
  );
}
