import type { Person } from '@settee/protocol/calls/peopleCalls';
import type { PersonDraft } from '@settee/protocol/model/person';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type Dispatch, type SetStateAction, useRef } from 'react';
import type { Api } from '../../net/api.ts';
import { FormDialog } from '../../staff/dialog/FormDialog.tsx';
import { useToasts } from '../../staff/toast/toasts.ts';
import { changedFields } from '../changedFields.ts';
import { useAdmin } from '../context.ts';
import { useDeskNames } from '../useDesks.tsx';
import { DeactivateDialog } from './DeactivateDialog.tsx';
import { LinkDialog, PersonDialog } from './PersonDialog.tsx';
import type { SavePerson, Start } from './usePersonForm.ts';

export type PersonTask = 'edit' | 'newLink' | 'signOut' | 'resetFactor' | 'deactivate';

export type OpenDialog =
  | { task: 'add' }
  | ({ task: 'link'; name: string } & MadeLink)
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
  const toasts = useToasts();
  const names = useDeskNames();
  const gone = useRef(false);
  if (open === null) return null;
  // Close only this dialog: the next one may be open already.
  const close = () => setOpen((now) => (now === open ? null : now));
  const showToast = (text: string, name: string) => toasts.show({ text: fillText(text, { name }) });

  if (open.task === 'add') {
    const adding: SavePerson = {
      async save(person) {
        const added = await ask('addPerson', { body: person });
        if (!added.ok) return added;
        const { name, email } = person;
        return { ok: true, onClosed: () => setOpen({ task: 'link', name, ...linkOf(added.answer, email) }) };
      },
      // A new person leaves no desk.
      readLoad: async () => ({ conversations: 0, invites: 0 }),
    };
    const { add, addSubmit } = peopleTexts;
    return (
      <PersonDialog key="add" title={add} submit={addSubmit} start={NOBODY} save={adding} onClose={close} />
    );
  }
  if (open.task === 'link') return <LinkDialog {...open} onClose={close} />;

  const { person } = open;
  const { id, name, alias } = person;
  if (open.task === 'deactivate') {
    const done = () => {
      gone.current = true;
      showToast(peopleTexts.wasDeactivated, name);
    };
    // The dialog has returned the focus by then.
    const closed = () => {
      close();
      if (gone.current) onGone();
      gone.current = false;
    };
    return <DeactivateDialog person={person} onClose={closed} onDone={done} />;
  }
  if (open.task === 'edit') {
    const changing: SavePerson = {
      async save(changed, bringAlong) {
        const body = { person: changedFields<PersonDraft>(person, changed), bringAlong };
        const saved = await ask('changePerson', { params: { id }, body });
        return saved.ok ? { ok: true, onClosed: () => showToast(peopleTexts.changed, changed.name) } : saved;
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
        submit={adminTexts.save}
        start={{
          name,
          email: person.email,
          role: person.role,
          alias,
          desk: names[alias ?? ''] ?? alias ?? '',
        }}
        save={changing}
        onClose={close}
      />
    );
  }
  return (
    <AccessDialog
      task={open.task}
      person={person}
      ask={ask}
      onClose={close}
      onLink={(made) => setOpen({ task: 'link', name, ...made })}
      onDone={(text) => showToast(text, name)}
    />
  );
}

type MadeLink = { link: string; sentTo?: string };

function linkOf({ link, linkSent }: { link: string; linkSent: boolean }, email: string): MadeLink {
  return { link, ...(linkSent && { sentTo: email }) };
}

type AccessDialogProps = {
  task: 'newLink' | 'signOut' | 'resetFactor';
  person: Person;
  ask: Api;
  onClose: () => void;
  onLink: (made: MadeLink) => void;
  onDone: (text: string) => void;
};

const asks = {
  newLink: { title: peopleTexts.newLink, action: peopleTexts.newLinkSubmit, note: peopleTexts.newLinkNote },
  signOut: { title: peopleTexts.signOut, action: peopleTexts.signOut, note: peopleTexts.signOutNote },
  resetFactor: {
    title: peopleTexts.resetFactor,
    action: peopleTexts.resetFactor,
    note: peopleTexts.resetFactorNote,
  },
} as const;

/** Confirms a change of a person's access. */
function AccessDialog({ task, person, ask, onClose, onLink, onDone }: AccessDialogProps) {
  const { id, name } = person;
  const { title, action, note } = asks[task];

  async function run(): Promise<string | undefined> {
    if (task === 'newLink') {
      const made = await ask('makePasswordLink', { params: { id } });
      if (!made.ok) return made.text || texts.networkError;
      onLink(linkOf(made.answer, person.email));
      return undefined;
    }
    const call = task === 'signOut' ? 'signOutEverywhere' : 'resetFactor';
    const done = await ask(call, { params: { id } });
    if (!done.ok) return done.text || texts.networkError;
    onDone(task === 'signOut' ? peopleTexts.signedOut : peopleTexts.factorWasReset);
    return undefined;
  }

  return (
    <FormDialog
      title={fillText(peopleTexts.actionOn, { action: title, name })}
      note={fillText(note, { name })}
      action={action}
      danger
      onClose={onClose}
      onSubmit={run}
    />
  );
}
