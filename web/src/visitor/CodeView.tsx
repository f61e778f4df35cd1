import type { Brand } from '@settee/protocol/brand';
import { initials } from '@settee/protocol/initials';
import { texts } from '@settee/protocol/texts';
import { useEffect, useRef, useState } from 'react';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { FieldError } from '../ui/FieldError.tsx';
import styles from './CodeView.module.css';
import pageStyles from './Page.module.css';
import type { Page } from './page.ts';

type CodeViewProps = {
  brand: Brand;
  page: Extract<Page, { view: 'needsCode' }>;
  /** How many digits a code has. */
  length: number;
  onCode: (code: string) => void;
};

/** One numeric input over four drawn cells: paste, autofill and readers see a plain field. */
export function CodeView({ brand, page: { attaching, error }, length, onCode }: CodeViewProps) {
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState('');
  const complete = code.length === length;

  useEffect(() => {
    if (attaching) return;
    field.current?.focus();
    if (error) field.current?.select();
  }, [attaching, error]);

  return (
    <main className={pageStyles.page}>
      <form
        className={pageStyles.centre}
        onSubmit={(event) => {
          event.preventDefault();
          if (complete && !attaching) onCode(code);
        }}
      >
        <div className={styles.avatar}>
          <Avatar letters={initials(brand.displayName)} url={brand.avatarUrl} size={72} />
        </div>
        <h1 className={pageStyles.heading}>{texts.codeTitle}</h1>
        <label className={styles.hint} htmlFor="code">
          {texts.codeHint}
        </label>
        <div className={styles.code}>
          <div className={styles.cells} aria-hidden="true" data-wrong={error !== null}>
            {Array.from({ length }, (_, place) => place).map((place) => (
              <span key={place} data-next={place === code.length}>
                {code[place] ?? ''}
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
            onChange={(event) => setCode(digitsOf(event.target.value).slice(0, length))}
            aria-invalid={error !== null}
            aria-describedby="code-error"
          />
        </div>
        <div className={styles.error}>
          <FieldError id="code-error" text={error} />
        </div>
        <Button type="submit" disabled={!complete || attaching}>
          {attaching ? texts.codeBusy : texts.codeSubmit}
        </Button>
        <Button look="quiet" onClick={() => location.assign('/')}>
          {texts.codeCancel}
        </Button>
      </form>
    </main>
  );
}

function digitsOf(raw: string): string {
  return raw.replace(/[^0-9]/g, '');
}
