import { INVITE_DAYS_MAX, INVITE_DEFAULT_DAYS } from '@settee/protocol/model/invite';
import { KEEP_DAYS_MAX } from '@settee/protocol/model/managedInvite';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ListState } from '../../staff/ListState.tsx';
import { Button } from '../../ui/Button.tsx';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import { useDeskNames } from '../useDesks.tsx';
import styles from './forms.module.css';

type CommonInputsProps = {
  aliases: readonly string[];
  fields: CommonFields;
  aliasLabel?: string;
  daysLabel?: string;
};

/** Desk, expiry and retention. */
export function CommonInputs({
  aliases,
  fields,
  aliasLabel = texts.desk,
  daysLabel = texts.days,
}: CommonInputsProps) {
  const names = useDeskNames();
  return (
    <>
      <div className={styles.pair}>
        <Select
          label={aliasLabel}
          value={fields.alias}
          options={aliases.map((alias) => ({ value: alias, text: names[alias] ?? alias }))}
          onChange={fields.setAlias}
        />
        <TextField
          label={daysLabel}
          value={fields.days}
          inputMode="numeric"
          required
          error={fields.daysProblem}
          onChange={fields.setDays}
        />
      </div>
      <TextField
        label={texts.keepDays}
        hint={texts.keepHint}
        value={fields.keep}
        inputMode="numeric"
        error={fields.keepProblem}
        onChange={fields.setKeep}
      />
    </>
  );
}

export type CommonFields = ReturnType<typeof useCommonFields>;

/** The fields that all invite forms share. */
export function useCommonFields(aliases: readonly string[]) {
  const [alias, setAlias] = useState(aliases[0] ?? '');
  const [days, setDays] = useState(String(INVITE_DEFAULT_DAYS));
  const [keep, setKeep] = useState('');
  const number = numberIn(days, INVITE_DAYS_MAX);
  const keepDays = numberIn(keep, KEEP_DAYS_MAX);
  const keepProblem = numberProblem(keep, KEEP_DAYS_MAX);
  return {
    alias,
    days,
    keep,
    setAlias,
    setDays,
    setKeep,
    daysProblem: number === null ? wholeNumberText(INVITE_DAYS_MAX) : null,
    keepProblem,
    /** Null while a field is invalid. */
    value: number !== null && keepProblem === null ? { alias, days: number, keepDays } : null,
  };
}

export function createText(count: number): string {
  return fillText(texts.createMany, { count: Math.max(1, count) });
}

export function wholeNumberText(max: number): string {
  return fillText(texts.wholeNumber, { max });
}

/** A whole number from 1, or null. */
export function numberIn(typed: string, max: number): number | null {
  const number = Number(typed.trim());
  return /^\d+$/.test(typed.trim()) && number >= 1 && number <= max ? number : null;
}

/** The error text. An empty field is valid. */
export function numberProblem(typed: string, max: number): string | null {
  return typed.trim() === '' || numberIn(typed, max) !== null ? null : wholeNumberText(max);
}

/** Shown instead of a form. Created links stay visible even if the last desk disappears meanwhile. */
export function NoDesks() {
  const navigate = useNavigate();
  return (
    <ListState>
      <p>{texts.noDesks}</p>
      <Button look="outline" onClick={() => void navigate('/handlers')}>
        {texts.addPerson}
      </Button>
    </ListState>
  );
}
