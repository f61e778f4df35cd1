import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { isTouch } from '../../browser/isTouch.ts';
import { useCopy } from '../../browser/useCopy.ts';
import type { Api } from '../../net/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Dots } from '../../ui/Dots.tsx';
import { Field } from '../../ui/Field.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { QrCode } from '../qr/QrCode.tsx';
import styles from './TotpSetup.module.css';

type Enrolment = { secret: string; uri: string; ticket: string };

type TotpSetupProps = {
  ask: Api;
  /** With the recovery codes, if these are the first. Answers what went wrong after that, in words. */
  onDone: (recoveryCodes: string[] | null) => Promise<string | null>;
  /** The person did not want to, or took too long. */
  onBack: () => void;
  back: string;
};

/** Shows the app a secret, and lets its owner prove that it has it. */
export function TotpSetup({ ask, onDone, onBack, back }: TotpSetupProps) {
  const { enrolment, error: beginError, begin } = useTotpEnrolment(ask);
  const [code, setCode] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { copied, copy } = useCopy();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy || !enrolment) return;
    setBusy(true);
    setError(null);
    const answer = await ask('confirmTotp', { body: { ticket: enrolment.ticket, code } });
    setError(answer.ok ? await onDone(answer.answer.recoveryCodes) : answer.text);
    setBusy(false);
  }

  // What waited for the secret is gone, and the focus with it.
  const first = useRef<HTMLParagraphElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!enrolment || document.activeElement !== document.body) return;
    // The QR code above the field stays in sight. On touch screens the field would open the keyboard.
    const place = isTouch() ? first : codeField;
    place.current?.focus({ preventScroll: true });
  }, [enrolment]);

  if (!enrolment) {
    return (
      <div className={styles.waiting}>
        {beginError === null ? (
          <Dots />
        ) : (
          <>
            <FieldError text={beginError} />
            <Button look="outline" onClick={() => void begin()}>
              {texts.tryAgain}
            </Button>
          </>
        )}
        <Button look="bare" onClick={onBack}>
          {back}
        </Button>
      </div>
    );
  }
  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)}>
      <p ref={first} className={styles.scan} tabIndex={-1}>
        {accountTexts.totpScan}
      </p>
      <div className={styles.code}>
        <QrCode link={enrolment.uri} label={accountTexts.totpQr} failed={accountTexts.totpQrFailed} />
      </div>
      <a className={styles.open} href={enrolment.uri}>
        {accountTexts.totpOpen}
      </a>
      <p className={styles.byHand}>
        {accountTexts.totpByHand} <code className={styles.key}>{inGroups(enrolment.secret)}</code>
      </p>
      <Button look="outline" onClick={() => void copy(enrolment.secret)}>
        {copied ? accountTexts.codesCopied : accountTexts.totpCopy}
      </Button>
      <Hidden>
        <span role="status">{copied && accountTexts.codesCopied}</span>
      </Hidden>
      <Field
        ref={codeField}
        label={accountTexts.totpCode}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        maxLength={7}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        error={error}
      />
      <div className={styles.buttons}>
        <Button type="submit" disabled={busy}>
          {accountTexts.totpConfirm}
        </Button>
        <Button look="quiet" onClick={onBack}>
          {back}
        </Button>
      </div>
    </form>
  );
}

function useTotpEnrolment(ask: Api) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [error, setError] = useState<string | null>(null);
  const asked = useRef(false);

  async function begin(): Promise<void> {
    setError(null);
    const answer = await ask('beginTotp', {});
    if (answer.ok) setEnrolment(answer.answer);
    else setError(answer.text);
  }
  // Once, whatever is drawn again: each asking makes another secret.
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void begin();
  });

  return { enrolment, error, begin };
}

/** Easier to read out and to type. */
function inGroups(secret: string): string {
  return secret.replaceAll(/.{4}(?=.)/g, '$& ');
}
