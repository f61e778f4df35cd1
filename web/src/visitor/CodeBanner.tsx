import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useState } from 'react';
import { useCopy } from '../browser/useCopy.ts';
import { Hidden } from '../ui/Hidden.tsx';
import styles from './CodeBanner.module.css';

/** The code for one more device, above everything else. It is the one that works: a used code is replaced by the next. */
export function CodeBanner({ code, onDismiss }: { code: string; onDismiss: () => void }) {
  const { copied, copy } = useCopy();
  const [leaving, setLeaving] = useState(false);
  const [said, setSaid] = useState('');
  // After the region is on the page: screen readers announce only what changes in it. Digit by digit.
  useEffect(() => setSaid(`${texts.anotherDevice}, ${code.split('').join(' ')}`), [code]);

  function dismiss(): void {
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) onDismiss();
    else setLeaving(true);
  }

  return (
    <aside
      className={styles.banner}
      aria-label={texts.anotherDevice}
      data-leaving={leaving}
      onAnimationEnd={() => leaving && onDismiss()}
    >
      <div className={styles.line}>
        <p className={styles.words}>
          {copied ? <span role="alert">{texts.codeCopied}</span> : texts.codeBanner} <b>{code}</b>
        </p>
        <button type="button" className={styles.copy} onClick={() => void copy(code)}>
          {texts.copy}
        </button>
        <button type="button" className={styles.dismiss} onClick={dismiss}>
          {texts.dismiss}
        </button>
      </div>
      <div aria-live="polite">
        <Hidden>{said}</Hidden>
      </div>
    </aside>
  );
}
