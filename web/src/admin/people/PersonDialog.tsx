import { DESK_NAME_MAX } from '@settee/protocol/model/deskName';
import { PERSON_NAME_MAX } from '@settee/protocol/model/person';
import type { Desk, Role } from '@settee/protocol/model/staff';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { staffMailTexts } from '@settee/protocol/texts/staffMailTexts';
import { useId, useState } from 'react';
import { listText } from '../../browser/listText.ts';
import { FormDialog, type FormDialogProps } from '../../staff/dialog/FormDialog.tsx';
import { Select } from '../parts/Select.tsx';
import { ShownOnceDialog } from '../parts/ShownOnceDialog.tsx';
import { TextField } from '../parts/TextField.tsx';
import { type DeskNames, deskOption, useDeskNames, useDesks } from '../useDesks.tsx';
import { deskOf } from './deskOf.ts';
import { MoveFields } from './MoveFields.tsx';
import { type Draft, type SavePerson, type Start, usePersonForm } from './usePersonForm.ts';

type PersonDialogProps<A> = Pick<
  FormDialogProps<Promise<{ ok: true; answer: A } | string | undefined>>,
  'title' | 'action' | 'say' | 'onDone' | 'onClose'
> & { start: Start; save: SavePerson<A> };

const roles = [
  { value: 'handler', text: peopleTexts.handler },
  { value: 'admin', text: peopleTexts.admin },
];

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
    <FormDialog {...rest} noValidate onSubmit={() => submit(draft)}>
      <TextField {...field('name')} required maxLength={PERSON_NAME_MAX} autoComplete="off" />
      <TextField {...field('email')} required type="email" autoComplete="off" spellCheck={false} />
      <Select
        label={peopleTexts.role}
        value={draft.role}
        onChange={(event) => setDraft({ ...draft, role: event.target.value as Role })}
        options={roles}
      />
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
      <datalist id={listId}>
        {desks.map(({ alias, people }) => (
          <option key={alias} value={names[alias] ?? alias}>
            {listText(people)}
          </option>
        ))}
      </datalist>
      {load && (
        <MoveFields
          lead={fillText(peopleTexts.deskLeft, { alias: start.desk })}
          load={load}
          desks={deskOptions(desks, names, start.alias, draft)}
          {...fields}
        />
      )}
    </FormDialog>
  );
}

/** All other desks, and the person's new desk, to which the work may move along. */
function deskOptions(
  desks: readonly Pick<Desk, 'alias' | 'people'>[],
  names: DeskNames,
  from: string | null,
  { desk, name }: Draft,
) {
  const { alias, deskName } = deskOf(desk, names, from);
  const others = desks.filter((each) => each.alias !== from);
  const isNew = alias !== null && alias !== from && !others.some((each) => each.alias === alias);
  const known = deskName === undefined || alias === null ? names : { ...names, [alias]: deskName };
  return [...(isNew ? [{ alias, people: [name] }] : []), ...others].map((each) => deskOption(each, known));
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
