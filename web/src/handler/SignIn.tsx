import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { isTouch } from '../browser/isTouch.ts';
import { StatePage } from '../staff/StatePage.tsx';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { SetteeDrawing } from '../ui/SetteeDrawing.tsx';
import { forgetField } from './keys/removedField.ts';
import styles from './SignIn.module.css';

/** What to do, where the specified text does not say it. */
const advice = new Map<string | null, string>([
  [texts.notAuthenticated, consoleTexts.sessionEndedAdvice],
  [texts.authFailed, texts.tryHelp],
  [texts.networkError, texts.tryHelp],
]);

type SignInProps = {
  busy: boolean;
  error: string | null;
  /** The session just ended. What the person is still typing must not land in a field. */
  interrupts?: boolean;
  onSignIn: (email: string, password: string) => void;
  /** Other ways to sign in. */
  children?: ReactNode;
};

export function SignIn({ busy, error, interrupts = false, onSignIn, children }: SignInProps) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  /** This form asked, so the refusal is about its fields. A second step can fail too. */
  const [asked, setAsked] = useState(false);
  const [interrupted] = useState(interrupts);
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  // On touch screens this would open the keyboard.
  useEffect(() => {
    if (!isTouch() && !interrupted) emailField.current?.focus();
  }, [interrupted]);

  // After an error the user types the password again.
  useEffect(() => {
    if (!busy && error && !interrupts) passwordField.current?.select();
  }, [busy, error, interrupts]);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (busy) return;
    // The form was submitted: the next key is for the console.
    forgetField();
    setAsked(true);
    onSignIn(email, password);
  }

  return (
    <StatePage
      title={consoleTexts.signInTitle}
      note={consoleTexts.signInHint}
      picture={
        <span className="ink-2">
          <SetteeDrawing seats={busy ? 'one' : 'empty'} width={150} />
        </span>
      }
    >
      <form className={styles.form} onSubmit={submit}>
        <Field
          ref={emailField}
          label={consoleTexts.signInEmail}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          ref={passwordField}
          label={consoleTexts.signInPassword}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={error}
          advice={asked && error === texts.signInFailed ? consoleTexts.signInAdvice : advice.get(error)}
        />
        <Button type="submit" disabled={busy}>
          {busy ? consoleTexts.signInBusy : consoleTexts.signInSubmit}
        </Button>
      </form>
      {children}
      <p className={styles.help}>{consoleTexts.signInHelp}</p>
    </StatePage>
  );
}
