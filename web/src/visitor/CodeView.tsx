import type { Brand } from '@settee/protocol/model/brand';
import { initials } from '@settee/protocol/model/initials';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useRef, useState } from 'react';
import { latinDigits } from '../browser/latinDigits.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { FieldError } from '../ui/FieldError.tsx';
import { Seal } from '../ui/Seal.tsx';
import { adviceAfter } from './adviceAfter.ts';
import styles from './CodeView.module.css';
import pageStyles from './Page.module.css';
import type { Page } from './page.ts';

type CodeViewProps = {
  brand: Brand;
  page: Extract<Page, { view: 'needsCode' }>;
  /** Digits per code. */
  length: number;
  onCode: (code: string) => void;
};

/** One numeric input over four drawn cells. Paste, autofill and screen readers see a plain field. */
export function CodeView({ brand, page: { attaching, note, error }, length, onCode }: CodeViewProps) {
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const [tried, setTried] = useState('');
  const complete = code.length === length;
  // The first new digit clears the error.
  const problem = code === tried ? error : null;

  useEffect(() => {
    if (attaching) return;
    field.current?.focus();
    if (error) field.current?.select();
  }, [attaching, error]);

  function submit(whole: string): void {
    setTried(whole);
    onCode(whole);
  }

  function onChange(raw: string): void {
    const digits = latinDigits(raw)
      .replace(/[^0-9]/g, '')
      .slice(0, length);
    setCode(digits);
    if (digits.length === length && digits !== code) submit(digits);
  }

  return (
    <main className={pageStyles.page}>
      <form
        className="centre"
        onSubmit={(event) => {
          event.preventDefault();
          if (complete && !attaching) submit(code);
        }}
      >
        <div className={`${styles.avatar} ${pageStyles.light}`}>
          <Avatar letters={initials(brand.displayName)} url={brand.avatarUrl} size={72} />
        </div>
        <p className={styles.name}>
          <span>{brand.displayName}</span>
          {brand.verified && <Seal label={texts.verifiedTooltip} size="medium" />}
        </p>
        <h1 className={styles.heading}>{texts.codeTitle}</h1>
        <label className={styles.hint} htmlFor="code">
          {texts.codeHint}
        </label>
        {/* Digits run from left to right in every language. */}
        <div className={styles.code} dir="ltr">
          <div className={styles.cells} aria-hidden="true" data-wrong={problem !== null}>
            {Array.from({ length }, (_, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: A cell is its place.
              <span key={place} data-next={problem === null && place === Math.min(code.length, length - 1)}>
                <u>{code[place] ?? ''}</u>
              </span>
            ))}
          </div>
          <input
            ref={field}
            id="code"
            className={styles.input}
            inputMode="numeric"
            pattern="[0-9]*"
            autoComplete="one-time-code"
            value={code}
            readOnly={attaching}
            onChange={(event) => onChange(event.target.value)}
            aria-invalid={problem !== null}
            aria-describedby="code-error code-note"
          />
        </div>
        <div className={styles.line}>
          <FieldError id="code-error" text={problem} advice={adviceAfter(problem)} />
          <p id="code-note" role="status">
            {problem === null && note}
          </p>
        </div>
        <Button type="submit" disabled={!complete || attaching}>
          {attaching ? texts.codeBusy : texts.codeSubmit}
        </Button>
        <Button look="quiet" className={styles.cancel} onClick={() => location.assign('/')}>
          {texts.codeCancel}
        </Button>
      </form>
      <p className="fine">{texts.codeWhere}</p>
    </main>
  );
}
