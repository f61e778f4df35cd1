import { DESK_NAME_MAX } from '@settee/protocol/model/deskName';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { useState } from 'react';
import { FieldError } from '../../ui/FieldError.tsx';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { DeskProfile } from '../profiles/DeskProfile.tsx';
import { useDeskText } from '../useDesks.tsx';
import { type NewDesk, useKnownDesks } from './useNewDesk.tsx';

type DeskChoiceProps = {
  /** An alias, or the name of a new desk. */
  value: string;
  alias: string | null;
  newDesk: NewDesk;
  error: string | undefined;
  onChange: (desk: string) => void;
};

const NEW = ' new';

/** The desk of a person, where desks of several profiles may have the same name. */
export function DeskChoice({ value, alias, newDesk, error, onChange }: DeskChoiceProps) {
  const text = useDeskText();
  const [adding, setAdding] = useState(false);
  const desks = useKnownDesks()
    .map((each) => ({ value: each, text: text(each) }))
    .toSorted((a, b) => a.text.localeCompare(b.text));
  return (
    <>
      <Select
        label={peopleTexts.desk}
        value={adding ? NEW : value}
        options={[
          { value: '', text: peopleTexts.chooseDesk },
          ...desks,
          { value: NEW, text: peopleTexts.newDesk },
        ]}
        onChange={(chosen) => {
          setAdding(chosen === NEW);
          onChange(chosen === NEW ? '' : chosen);
        }}
      />
      {adding ? (
        <TextField
          label={peopleTexts.newDeskName}
          value={value}
          error={error}
          maxLength={DESK_NAME_MAX}
          autoComplete="off"
          onChange={onChange}
        />
      ) : (
        <FieldError text={error} />
      )}
      {newDesk.select ?? (alias !== null && <DeskProfile alias={alias} />)}
    </>
  );
}
