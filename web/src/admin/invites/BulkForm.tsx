import { INVITE_LABEL_MAX, INVITES_AT_ONCE, type InviteDraft } from '@settee/protocol/model/managedInvite';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../parts/TextField.tsx';
import { CommonInputs, createText, numberIn, useCommonFields, wholeNumberText } from './CommonFields.tsx';
import styles from './forms.module.css';

type BulkFormProps = {
  aliases: readonly string[];
  onCreate: (rows: Omit<InviteDraft, 'id'>[]) => void;
};

/** Room for ', no. 500'. */
const PREFIX_MAX = INVITE_LABEL_MAX - 9;
const COUNT_AT_FIRST = 10;

/** Several invites that differ only in their number. */
export function BulkForm({ aliases, onCreate }: BulkFormProps) {
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
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.pair}>
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
      <div className={`${styles.submit} medium`}>
        <Button type="submit" disabled={prefix.trim() === '' || count === null || !fields.value}>
          {createText(count ?? 0)}
        </Button>
      </div>
    </form>
  );
}
