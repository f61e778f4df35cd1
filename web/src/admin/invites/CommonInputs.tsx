import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { Select } from '../parts/Select.tsx';
import { TextField } from '../parts/TextField.tsx';
import styles from './forms.module.css';
import type { CommonFields } from './inviteFields.ts';

type CommonInputsProps = {
  aliases: readonly string[];
  fields: CommonFields;
  aliasLabel?: string;
  daysLabel?: string;
};

/** Who answers, until when the link works, and how long what is said is kept. */
export function CommonInputs({
  aliases,
  fields,
  aliasLabel = texts.handler,
  daysLabel = texts.days,
}: CommonInputsProps) {
  return (
    <>
      <div className={styles.pair}>
        <Select
          label={aliasLabel}
          value={fields.alias}
          options={aliases.map((alias) => ({ value: alias, text: alias }))}
          onChange={(event) => fields.setAlias(event.target.value)}
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
