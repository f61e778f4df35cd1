import { SecondFactorAsked } from '@settee/protocol/model/secondFactor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { isTouch } from '../browser/isTouch.ts';
import { attempt } from '../chat/model/attempt.ts';
import type { Api } from '../net/api.ts';
import { StatePage } from '../staff/StatePage.tsx';
import { startSingleSignOn } from '../staff/startSingleSignOn.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { FieldError } from '../ui/FieldError.tsx';
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

type Problem = keyof typeof consoleTexts.ssoProblems;

const PROBLEMS = Object.keys(consoleTexts.ssoProblems) as Problem[];

/** How single sign-on ended, if the browser comes back from there without a session. Anyone can make such a link. */
const SingleSignOnResult = v.object({
  // A newer server may have other problems.
  problem: v.optional(v.fallback(v.picklist(PROBLEMS), 'failed')),
  asked: v.optional(SecondFactorAsked),
});
type SingleSignOnResult = v.InferOutput<typeof SingleSignOnResult>;

/** Screen readers notice a new region after a moment, and then announce its changes. */
const ANNOUNCE_AFTER_MS = 100;

/** The server puts the result into the fragment. It is removed from the history. */
export function takeSingleSignOnResult(): SingleSignOnResult | null {
  const [, text] = /^#sso=(.+)$/.exec(location.hash) ?? [];
  if (text === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return attempt(() => v.parse(SingleSignOnResult, JSON.parse(decodeURIComponent(text)))) ?? null;
}

type SingleSignOnProps = { api: Api; problem: Problem | undefined };

/** A button, where the installation has a provider. */
export function SingleSignOn({ api, problem }: SingleSignOnProps) {
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    void api('readSignIn', {}).then((read) => setName(read.ok ? read.answer.singleSignOn : null));
  }, [api]);
  const [shown, setShown] = useState<Problem | undefined>(undefined);
  useEffect(() => {
    const timer = setTimeout(() => setShown(problem), ANNOUNCE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [problem]);

  if (name === null && problem === undefined) return null;
  return (
    <div className={styles.single}>
      <FieldError text={shown && consoleTexts.ssoProblems[shown]} />
      {name !== null && (
        <Button look="outline" onClick={() => startSingleSignOn()}>
          {fillText(consoleTexts.signInWith, { name })}
        </Button>
      )}
    </div>
  );
}
