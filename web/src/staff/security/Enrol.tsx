import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { StatePage } from '../StatePage.tsx';
import type { SessionStore } from '../session.ts';
import { type Reply, useChange } from '../useChange.ts';
import styles from './Enrol.module.css';
import { addPasskey, deviceName, preparePasskeys } from './passkeys.ts';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { TotpSetup } from './TotpSetup.tsx';
import { hasFactor, useAccount } from './useAccount.ts';
import { useConfirmedApi } from './useConfirmedApi.tsx';

/** Undefined at first, so that the browser's focus stays. */
type Step = { at: 'choose' } | { at: 'app' } | { at: 'codes'; codes: string[] };

const shapes = {
  on: ['m9 5 7 7-7 7'],
  phone: ['M8 2.5h8a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2Z', 'M11 18.5h2'],
  key: ['M8 11.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9', 'm11.3 12.7 8.2-8.2M16 8l2.5 2.5M19 5l2 2'],
};

/** Sets up a required second factor: choose one, set it up, save the recovery codes. */
export function Enrol({ session, onDone }: { session: SessionStore; onDone: () => void }) {
  const { account, failed, read } = useAccount(session);
  const { ask, dialog } = useConfirmedApi(session);
  const [step, setStep] = useState<Step>();

  async function added(codes: string[] | null) {
    // There was no factor when the page opened, so an answer with the codes was lost. Create new ones.
    const renewal = codes ? undefined : await ask('renewRecoveryCodes', {});
    if (renewal && !renewal.ok) return renewal;
    setStep({ at: 'codes', codes: codes ?? renewal?.answer.recoveryCodes ?? [] });
    return undefined;
  }

  if (!account) {
    return (
      <StatePage title={accountTexts.enrolTitle} {...(!failed && { note: texts.loading })}>
        {failed && (
          <>
            <FieldError text={texts.networkError} />
            <Button onClick={() => void read()}>{texts.tryAgain}</Button>
          </>
        )}
      </StatePage>
    );
  }
  if (step?.at === 'codes') {
    return (
      <StatePage title={accountTexts.keepTitle} step={accountTexts.step3} takesFocus>
        <RecoveryCodes codes={step.codes} email={account.email} onKept={onDone} />
      </StatePage>
    );
  }
  // A factor already exists: sign in again to use it.
  if (hasFactor(account)) {
    return (
      <StatePage title={accountTexts.enrolAgainTitle} note={accountTexts.enrolAgainNote}>
        <Button onClick={() => void session.signOut()}>{accountTexts.signInAgain}</Button>
      </StatePage>
    );
  }
  if (step?.at === 'app') {
    return (
      <StatePage title={accountTexts.totpTitle} step={accountTexts.step2} takesFocus>
        <TotpSetup
          ask={ask}
          back={accountTexts.back}
          onBack={() => setStep({ at: 'choose' })}
          onDone={added}
        />
        {dialog}
      </StatePage>
    );
  }
  return (
    <StatePage
      title={accountTexts.enrolTitle}
      note={accountTexts.enrolNote}
      step={accountTexts.step1}
      takesFocus={step !== undefined}
    >
      <Choices
        onApp={() => setStep({ at: 'app' })}
        onPasskey={async () => {
          const outcome = await addPasskey(ask, deviceName());
          if (typeof outcome === 'string' || !outcome.ok) return outcome;
          return added(outcome.answer.recoveryCodes);
        }}
      />
      <Button look="quiet" onClick={() => void session.signOut()}>
        {consoleTexts.signOut}
      </Button>
      {dialog}
    </StatePage>
  );
}

function Choices({ onApp, onPasskey }: { onApp: () => void; onPasskey: () => Reply }) {
  const { busy, error, run } = useChange();
  useEffect(preparePasskeys, []);
  return (
    <div className={styles.choices}>
      <button type="button" className={styles.choice} disabled={busy} onClick={onApp}>
        <Shape paths={shapes.phone} size={24} />
        <span>
          <b>{accountTexts.chooseApp}</b>
          {accountTexts.chooseAppNote}
        </span>
        <Shape paths={shapes.on} size={18} />
      </button>
      <button type="button" className={styles.choice} disabled={busy} onClick={() => void run(onPasskey)}>
        <Shape paths={shapes.key} size={24} />
        <span>
          <b>{accountTexts.choosePasskey}</b>
          {accountTexts.choosePasskeyNote}
        </span>
        <Shape paths={shapes.on} size={18} />
      </button>
      <FieldError text={error} />
    </div>
  );
}
