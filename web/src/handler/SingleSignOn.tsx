import { SecondFactorAsked } from '@settee/protocol/model/secondFactor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useState } from 'react';
import * as v from 'valibot';
import { attempt } from '../chat/model/attempt.ts';
import type { Api } from '../net/api.ts';
import { startSingleSignOn } from '../staff/startSingleSignOn.ts';
import { Button } from '../ui/Button.tsx';
import { FieldError } from '../ui/FieldError.tsx';
import styles from './SignIn.module.css';

type Problem = keyof typeof consoleTexts.ssoProblems;

const PROBLEMS = Object.keys(consoleTexts.ssoProblems) as Problem[];

/** How single sign-on ended, if the browser comes back from there without a session. Anyone can make such a link. */
const SingleSignOnResult = v.object({
  // A newer server may have other problems.
  problem: v.optional(v.fallback(v.picklist(PROBLEMS), 'failed')),
  asked: v.optional(SecondFactorAsked),
});
export type SingleSignOnResult = v.InferOutput<typeof SingleSignOnResult>;

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
