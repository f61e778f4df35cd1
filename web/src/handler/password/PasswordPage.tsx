import { passwordProblem } from '@settee/protocol/model/person';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useCallback, useEffect, useState } from 'react';
import { reloadPage } from '../../browser/reloadPage.ts';
import type { Result } from '../../net/api.ts';
import { LoadingPage, StatePage } from '../../staff/StatePage.tsx';
import type { SessionStore } from '../../staff/session.ts';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import styles from './PasswordPage.module.css';

type State =
  | { phase: 'checking' }
  | { phase: 'void'; reason: string }
  | { phase: 'failed'; reason: string }
  | { phase: 'open'; name: string; email: string }
  | { phase: 'saved' };

/** The page of a one-time link, where staff choose a password. */
export function PasswordPage({ session }: { session: SessionStore }) {
  const [state, setState] = useState<State>({ phase: 'checking' });
  // Kept here, because it is removed from the address after use.
  const [token] = useState(() => location.hash.slice(1));

  const check = useCallback(async () => {
    setState({ phase: 'checking' });
    const read = await session.api('openPasswordLink', { body: { token } });
    if (read.ok) setState({ phase: 'open', ...read.answer });
    else setState({ phase: read.code === 'link_void' ? 'void' : 'failed', reason: read.text });
  }, [session, token]);
  useEffect(() => {
    document.title = peopleTexts.passwordTitle;
    void check();
    // Another link in the same tab changes only the fragment.
    addEventListener('hashchange', reloadPage);
    return () => removeEventListener('hashchange', reloadPage);
  }, [check]);

  switch (state.phase) {
    case 'checking':
      return (
        <LoadingPage
          title={peopleTexts.passwordTitle}
          note={peopleTexts.passwordChecking}
          label={peopleTexts.passwordChecking}
        />
      );
    case 'void':
      return (
        <StatePage title={peopleTexts.linkVoidTitle} note={state.reason} alert>
          <ToSignIn />
        </StatePage>
      );
    case 'failed':
      return (
        <StatePage title={peopleTexts.passwordTitle} note={state.reason} alert>
          <Button onClick={() => void check()}>{texts.tryAgain}</Button>
        </StatePage>
      );
    case 'open':
      return (
        <PasswordForm
          name={state.name}
          email={state.email}
          choose={(password) => session.api('choosePassword', { body: { token, password } })}
          onSaved={() => {
            // The used token is removed from the history.
            history.replaceState(null, '', location.pathname);
            setState({ phase: 'saved' });
          }}
          onVoid={(reason) => setState({ phase: 'void', reason })}
        />
      );
    case 'saved':
      return (
        <StatePage title={peopleTexts.passwordSaved} note={peopleTexts.passwordSavedNote}>
          <ToSignIn />
        </StatePage>
      );
  }
}

function ToSignIn() {
  return (
    <Button autoFocus onClick={() => location.assign('/handler')}>
      {peopleTexts.toSignIn}
    </Button>
  );
}

type PasswordFormProps = {
  name: string;
  email: string;
  choose: (password: string) => Promise<Result<'choosePassword'>>;
  onSaved: () => void;
  /** The link was used or replaced meanwhile. */
  onVoid: (reason: string) => void;
};

function PasswordForm({ name, email, choose, onSaved, onVoid }: PasswordFormProps) {
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState(false);
  const { busy, error, submit } = useChange();

  async function save() {
    const problem = passwordProblem(password, { name, email });
    if (problem !== undefined) return problem;
    const saved = await choose(password);
    if (!saved.ok && saved.code === 'link_void') onVoid(saved.text);
    return saved;
  }

  return (
    <StatePage title={peopleTexts.passwordTitle} note={fillText(peopleTexts.passwordFor, { name })}>
      <form className={styles.form} onSubmit={submit(save, { done: onSaved })} noValidate>
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
