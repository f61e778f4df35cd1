import type { FactorMethod, FactorProof, SecondFactorAsked } from '@settee/protocol/model/secondFactor';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { latinDigits } from '../browser/latinDigits.ts';
import { StatePage } from '../staff/StatePage.tsx';
import { hasPasskeys, preparePasskeys, showPasskey } from '../staff/security/passkeys.ts';
import { Button } from '../ui/Button.tsx';
import { Field } from '../ui/Field.tsx';
import { FieldError } from '../ui/FieldError.tsx';
import { forgetField } from './keys/removedField.ts';
import styles from './SignIn.module.css';

type SecondStepProps = {
  asked: SecondFactorAsked;
  busy: boolean;
  error: string | null;
  onConfirm: (proof: FactorProof) => void;
  onBack: () => void;
};

const methodTexts = {
  totp: { title: accountTexts.codeTitle, note: accountTexts.codeNote, other: accountTexts.useApp },
  passkey: {
    title: accountTexts.passkeyTitle,
    note: accountTexts.passkeyNote,
    other: accountTexts.usePasskey,
  },
  recovery: {
    title: accountTexts.recoveryTitle,
    note: accountTexts.recoveryNote,
    other: accountTexts.useRecovery,
  },
} as const;

export function SecondStep({ asked, busy, error, onConfirm, onBack }: SecondStepProps) {
  const [method, setMethod] = useState<FactorMethod>(asked.methods[0] ?? 'totp');
  const [problem, setProblem] = useState<string | null>(null);
  // An error belongs to the method that was used.
  const [asIf, setAsIf] = useState<FactorMethod>(method);
  const { title, note } = methodTexts[method];

  function confirm(proof: FactorProof): void {
    setProblem(null);
    setAsIf(proof.method);
    // The form was submitted: the next key is for the console.
    forgetField();
    onConfirm(proof);
  }

  async function usePasskey(): Promise<void> {
    setProblem(null);
    if (!hasPasskeys() || !asked.passkey) return setProblem(accountTexts.passkeyUnsupported);
    const response = await showPasskey(asked.passkey);
    if (response) confirm({ method: 'passkey', response });
    else setProblem(accountTexts.passkeyFailed);
  }

  const wrong = problem ?? (asIf === method ? error : null);
  return (
    <StatePage title={title} note={note}>
      {method === 'passkey' ? (
        <PasskeyStep busy={busy} error={wrong} onUse={usePasskey} />
      ) : (
        <CodeStep
          key={method}
          method={method}
          busy={busy}
          error={wrong}
          onCode={(code) => confirm({ method, code })}
        />
      )}
      <div className={styles.others}>
        {asked.methods
          .filter((other) => other !== method)
          .map((other) => (
            <Button
              key={other}
              look="quiet"
              disabled={busy}
              onClick={() => {
                setProblem(null);
                setMethod(other);
              }}
            >
              {methodTexts[other].other}
            </Button>
          ))}
        <Button look="quiet" disabled={busy} onClick={onBack}>
          {accountTexts.back}
        </Button>
      </div>
    </StatePage>
  );
}

type StepProps = { busy: boolean; error: string | null };

type CodeStepProps = StepProps & { method: 'totp' | 'recovery'; onCode: (code: string) => void };

function CodeStep({ method, busy, error, onCode }: CodeStepProps) {
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!busy) onCode(code);
  }

  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        ref={field}
        label={method === 'totp' ? accountTexts.code : accountTexts.recoveryCode}
        inputMode={method === 'totp' ? 'numeric' : 'text'}
        autoComplete={method === 'totp' ? 'one-time-code' : 'off'}
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={32}
        value={code}
        onChange={(event) => setCode(latinDigits(event.target.value))}
        error={error}
      />
      <Button type="submit" disabled={busy}>
        {busy ? accountTexts.checking : accountTexts.continue}
      </Button>
    </form>
  );
}

function PasskeyStep({ busy, error, onUse }: StepProps & { onUse: () => Promise<void> }) {
  const [waiting, setWaiting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    preparePasskeys();
    button.current?.focus();
  }, []);

  async function use(): Promise<void> {
    setWaiting(true);
    await onUse();
    setWaiting(false);
  }

  return (
    <div className={styles.form} data-alone>
      <FieldError text={error} />
      <Button ref={button} disabled={busy || waiting} onClick={() => void use()}>
        {busy || waiting ? accountTexts.checking : accountTexts.usePasskey}
      </Button>
    </div>
  );
}
