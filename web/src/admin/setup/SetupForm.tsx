import { PROFILE_NAME_MAX } from '@settee/protocol/calls/profileCalls';
import { SETUP_NAME_MAX } from '@settee/protocol/calls/setupCalls';
import { passwordTooShort } from '@settee/protocol/model/password';
import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type FormEvent, useEffect, useState } from 'react';
import type { SessionStore } from '../../staff/session.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { TextField } from '../parts/TextField.tsx';
import styles from './SetupForm.module.css';

type SetupFormProps = {
  session: SessionStore;
  /** Somebody else was the first. */
  onDone: () => void;
};

export function SetupForm({ session, onDone }: SetupFormProps) {
  const [person, setPerson] = useState(() => ({
    code: takeCode(),
    profileName: '',
    name: '',
    email: '',
    password: '',
  }));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  // Whoever has the page open already and pastes the printed address does not load it anew.
  useEffect(() => {
    const take = () => {
      const code = takeCode();
      if (code !== '') setPerson((before) => ({ ...before, code }));
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setError(null);
    const made = await session.api('setUp', { body: person });
    // The cookie is set: the gate lets them in.
    if (made.ok) return location.replace('/admin');
    setBusy(false);
    if (made.code === 'setup_done') return onDone();
    setError(made.text || texts.networkError);
  }

  function field(name: keyof typeof person) {
    return {
      label: setupTexts[name],
      required: true,
      value: person[name],
      onChange: (value: string) => setPerson((before) => ({ ...before, [name]: value })),
    };
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <TextField
        {...field('code')}
        hint={setupTexts.codeHint}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      <TextField
        {...field('profileName')}
        hint={setupTexts.profileNameHint}
        autoComplete="off"
        maxLength={PROFILE_NAME_MAX}
      />
      <TextField {...field('name')} autoComplete="name" maxLength={SETUP_NAME_MAX} />
      <TextField {...field('email')} type="email" autoComplete="username" />
      <TextField {...field('password')} hint={passwordTooShort} type="password" autoComplete="new-password" />
      <FieldError text={error} />
      <Button type="submit" disabled={busy}>
        {busy ? setupTexts.busy : setupTexts.submit}
      </Button>
    </form>
  );
}

/** The printed address carries the code behind its #; it need not stay in the history. */
function takeCode(): string {
  const code = location.hash.slice(1);
  if (code !== '') history.replaceState(null, '', location.pathname);
  return code;
}
