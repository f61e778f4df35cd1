import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useRef, useState } from 'react';
import { isTouch } from '../../browser/isTouch.ts';
import { latinDigits } from '../../browser/latinDigits.ts';
import { useCopy } from '../../browser/useCopy.ts';
import type { Api } from '../../net/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Dots } from '../../ui/Dots.tsx';
import { Field } from '../../ui/Field.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { QrCode } from '../qr/QrCode.tsx';
import { type Reply, useChange } from '../useChange.ts';
import styles from './TotpSetup.module.css';

type Enrolment = { secret: string; uri: string; ticket: string };

type TotpSetupProps = {
  ask: Api;
  /** Receives the first recovery codes. */
  onDone: (recoveryCodes: string[] | null) => Reply;
  onBack: () => void;
  back: string;
};

/** Shows the secret and verifies a code of the app. */
export function TotpSetup({ ask, onDone, onBack, back }: TotpSetupProps) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const beginning = useChange();
  const [code, setCode] = useState('');
  const { copied, copy } = useCopy();
  const { busy, error, submit } = useChange();

  const begin = () => beginning.run(() => ask('beginTotp', {}), { done: setEnrolment });
  // Only once: each call creates another secret.
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void begin();
  });

  async function confirm(ticket: string) {
    const answer = await ask('confirmTotp', { body: { ticket, code } });
    return answer.ok ? onDone(answer.answer.recoveryCodes) : answer;
  }

  // The loading state had the focus and is gone.
  const first = useRef<HTMLParagraphElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!enrolment || document.activeElement !== document.body) return;
    // Keeps the QR code visible. On touch screens the field would open the keyboard.
    const place = isTouch() ? first : codeField;
    place.current?.focus({ preventScroll: true });
  }, [enrolment]);

  if (!enrolment) {
    return (
      <div className={styles.waiting}>
        {beginning.error === null ? (
          <Dots />
        ) : (
          <>
            <FieldError text={beginning.error} />
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
    <form className={styles.form} onSubmit={submit(() => confirm(enrolment.ticket))}>
      <p ref={first} tabIndex={-1}>
        {accountTexts.totpScan}
      </p>
      <div className={styles.code}>
        <QrCode link={enrolment.uri} label={accountTexts.totpQr} failed={accountTexts.totpQrFailed} />
      </div>
      <a className={styles.open} href={enrolment.uri}>
        {accountTexts.totpOpen}
      </a>
      <p className="muted">
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
        onChange={(event) => setCode(latinDigits(event.target.value))}
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

/** Groups of four are easier to read and type. */
function inGroups(secret: string): string {
  return secret.replaceAll(/.{4}(?=.)/g, '$& ');
}
