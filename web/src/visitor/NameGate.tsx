import { texts } from '@settee/protocol/texts';
import { DISPLAY_NAME_MAX, displayNameProblem } from '@settee/protocol/visitor';
import { type FormEvent, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import styles from './NameGate.module.css';

type NameGateProps = { saving: boolean; error: string | null; onName: (name: string) => void };

export function NameGate({ saving, error, onName }: NameGateProps) {
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string | null>(null);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const wrong = displayNameProblem(name) ?? null;
    setProblem(wrong);
    if (!wrong && !saving) onName(name.trim());
  }

  return (
    <main className={styles.gate}>
      <form onSubmit={submit}>
        <h2 className={styles.heading}>{texts.nameTitle}</h2>
        <p className={styles.note}>{texts.nameNote}</p>
        <Field
          label={texts.nameLabel}
          aside={
            <span aria-hidden="true">
              {name.length}/{DISPLAY_NAME_MAX}
            </span>
          }
          error={problem ?? error}
          value={name}
          onChange={(event) => setName(event.target.value)}
          maxLength={DISPLAY_NAME_MAX}
          autoComplete="given-name"
          autoFocus
          dir="auto"
        />
        <Button type="submit" className={styles.submit} disabled={name.trim() === '' || saving}>
          {saving ? texts.nameBusy : texts.nameSubmit}
        </Button>
      </form>
    </main>
  );
}
