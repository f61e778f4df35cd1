import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type ReactNode, useEffect, useRef } from 'react';
import { reloadPage } from '../browser/reloadPage.ts';
import { Button } from '../ui/Button.tsx';
import { Logo } from '../ui/Logo.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import styles from './StatePage.module.css';

type StatePageProps = {
  title: string;
  note?: string;
  alert?: boolean;
  /** Focuses the title, if the previous step had the focus. */
  takesFocus?: boolean;
  /** Shown instead of the logo. */
  picture?: ReactNode;
  step?: string;
  children?: ReactNode;
};

/** A page with one message: loading, failed, sign-in. */
export function StatePage({
  title,
  note,
  alert = false,
  takesFocus = false,
  picture,
  step,
  children,
}: StatePageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another step
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus, title]);
  return (
    <main className={styles.page}>
      <div className={styles.box}>
        <span className={styles.mark}>{picture ?? <Logo size={44} />}</span>
        <div role={alert ? 'alert' : undefined}>
          {step && <p className={styles.step}>{step}</p>}
          <h1 ref={heading} className={styles.title} tabIndex={-1}>
            {title}
          </h1>
          {note && <p className={styles.note}>{note}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}

type LoadingPageProps = { title: string; note?: string; label?: string };

export function LoadingPage({ title, note, label = title }: LoadingPageProps) {
  return (
    <StatePage title={title} {...(note !== undefined && { note })}>
      <p>
        <Spinner label={label} />
      </p>
    </StatePage>
  );
}

export function ErrorPage({ admin = false }) {
  return (
    <StatePage title={admin ? texts.pageBroken : consoleTexts.consoleBroken} alert>
      <Button onClick={reloadPage}>{texts.refreshPage}</Button>
    </StatePage>
  );
}
