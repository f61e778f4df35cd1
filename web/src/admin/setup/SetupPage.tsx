import { PROFILE_NAME_MAX } from '@settee/protocol/calls/profileCalls';
import { PERSON_NAME_MAX } from '@settee/protocol/model/person';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { setupTexts } from '@settee/protocol/texts/setupTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useCallback, useEffect, useState } from 'react';
import { LoadingPage, StatePage } from '../../staff/StatePage.tsx';
import type { SessionStore } from '../../staff/session.ts';
import { leave, useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { TextField } from '../parts/TextField.tsx';
import styles from './SetupForm.module.css';

/** Creates the first administrator. Nobody is signed in yet. */
export function SetupPage({ session }: { session: SessionStore }) {
  const [needed, setNeeded] = useState<boolean | 'asking' | 'failed'>('asking');

  const ask = useCallback(async () => {
    setNeeded('asking');
    const read = await session.api('readSetup', {});
    setNeeded(read.ok ? read.answer.needed : 'failed');
  }, [session]);
  useEffect(() => void ask(), [ask]);
  useEffect(() => {
    document.title = setupTexts.title;
  }, []);

  if (needed === 'asking') return <LoadingPage title={setupTexts.title} label={texts.loading} />;
  if (needed === 'failed') {
    return (
      <StatePage title={setupTexts.loadFailed} alert>
        <Button onClick={() => void ask()}>{texts.tryAgain}</Button>
      </StatePage>
    );
  }
  if (!needed) {
    return (
      <StatePage title={setupTexts.doneTitle} note={setupTexts.doneNote}>
        <Button onClick={() => location.assign('/admin')}>{setupTexts.toSignIn}</Button>
      </StatePage>
    );
  }
  return (
    <StatePage title={setupTexts.title} note={setupTexts.note}>
      <SetupForm session={session} onDone={() => setNeeded(false)} />
    </StatePage>
  );
}

type SetupFormProps = {
  session: SessionStore;
  /** Setup was already completed. */
  onDone: () => void;
};

function SetupForm({ session, onDone }: SetupFormProps) {
  const [person, setPerson] = useState(() => ({
    code: takeCode(),
    profileName: '',
    name: '',
    email: '',
    password: '',
  }));
  const { busy, error, submit } = useChange();

  // Pasting the printed address into an open page does not reload it.
  useEffect(() => {
    const take = () => {
      const code = takeCode();
      if (code !== '') setPerson((before) => ({ ...before, code }));
    };
    addEventListener('hashchange', take);
    return () => removeEventListener('hashchange', take);
  }, []);

  async function setUp() {
    const made = await session.api('setUp', { body: person });
    if (!made.ok && made.code === 'setup_done') onDone();
    return made;
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
    // The cookie is set, so the admin area opens.
    <form
      className={styles.form}
      onSubmit={submit(setUp, { done: () => leave(() => location.replace('/admin')) })}
    >
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
      <TextField {...field('name')} autoComplete="name" maxLength={PERSON_NAME_MAX} />
      <TextField {...field('email')} type="email" autoComplete="username" />
      <TextField
        {...field('password')}
        hint={peopleTexts.passwordTooShort}
        type="password"
        autoComplete="new-password"
      />
      <FieldError text={error} />
      <Button type="submit" disabled={busy}>
        {busy ? setupTexts.busy : setupTexts.submit}
      </Button>
    </form>
  );
}

/** The printed address has the code in its fragment. It is removed from the history. */
function takeCode(): string {
  const code = location.hash.slice(1);
  if (code !== '') history.replaceState(null, '', location.pathname);
  return code;
}
