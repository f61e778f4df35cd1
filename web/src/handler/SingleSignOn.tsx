import type { SecondFactorAsked } from '@settee/protocol/model/secondFactor';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useEffect, useState } from 'react';
import { attempt } from '../chat/model/attempt.ts';
import type { Api } from '../net/api.ts';
import { startSingleSignOn } from '../staff/startSingleSignOn.ts';
import { Button } from '../ui/Button.tsx';
import { FieldError } from '../ui/FieldError.tsx';
import styles from './SignIn.module.css';

type Problem = keyof typeof consoleTexts.ssoProblems;

/** How single sign-on ended, if the browser comes back from there without a session. */
export type SingleSignOnResult = { problem?: Problem; asked?: SecondFactorAsked };

/** The server puts the result into the fragment. It is removed from the history. */
export function takeSingleSignOnResult(): SingleSignOnResult | null {
  const [, text] = /^#sso=(.+)$/.exec(location.hash) ?? [];
  if (text === undefined) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return attempt(() => JSON.parse(decodeURIComponent(text)) as SingleSignOnResult) ?? null;
}

type SingleSignOnProps = { api: Api; problem: Problem | undefined };

/** A button, where the installation has a provider. */
export function SingleSignOn({ api, problem }: SingleSignOnProps) {
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    void api('readSignIn', {}).then((read) => setName(read.ok ? read.answer.singleSignOn : null));
  }, [api]);

  if (name === null && problem === undefined) return null;
  return (
    <div className={styles.single}>
      <FieldError text={problem && (consoleTexts.ssoProblems[problem] ?? consoleTexts.ssoProblems.failed)} />
      {name !== null && (
        <Button look="outline" onClick={() => startSingleSignOn()}>
          {fillText(consoleTexts.signInWith, { name })}
        </Button>
      )}
    </div>
  );
}
