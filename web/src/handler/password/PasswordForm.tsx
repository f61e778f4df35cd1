import { passwordProblem } from '@settee/protocol/model/person';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type FormEvent, useState } from 'react';
import type { Result } from '../../net/api.ts';
import { StatePage } from '../../staff/StatePage.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import styles from './PasswordForm.module.css';

type PasswordFormProps = {
  name: string;
  email: string;
  save: (password: string) => Promise<Result<'choosePassword'>>;
  onSaved: () => void;
  /** The link was used or replaced meanwhile. */
  onVoid: (reason: string) => void;
};

export function PasswordForm({ name, email, save, onSaved, onVoid }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const problem = passwordProblem(password, { name, email });
    setError(problem ?? null);
    if (problem !== undefined) return;
    setBusy(true);
    const saved = await save(password);
    setBusy(false);
    if (saved.ok) onSaved();
    else if (saved.code === 'link_void') onVoid(saved.text);
    else setError(saved.text || texts.networkError);
  }

  return (
    <StatePage title={peopleTexts.passwordTitle} note={fillText(peopleTexts.passwordFor, { name })}>
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {/* For password managers. */}
        <Field label={peopleTexts.email} type="email" autoComplete="username" readOnly value={email} />
        <Field
          label={peopleTexts.newPassword}
          type={shown ? 'text' : 'password'}
          autoComplete="new-password"
          autoFocus
          required
          value={password}
          error={error}
          onChange={(event) => setPassword(event.target.value)}
        />
        <p className={styles.hint}>{peopleTexts.passwordHint}</p>
        <label className={styles.show}>
          <input type="checkbox" checked={shown} onChange={(event) => setShown(event.target.checked)} />
          {peopleTexts.showPassword}
        </label>
        <Button type="submit" disabled={busy}>
          {busy ? peopleTexts.savingPassword : peopleTexts.savePassword}
        </Button>
      </form>
    </StatePage>
  );
}
