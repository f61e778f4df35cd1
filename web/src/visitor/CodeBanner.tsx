import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useState } from 'react';
import { useCopy } from '../browser/useCopy.ts';
import { Hidden } from '../ui/Hidden.tsx';
import styles from './CodeBanner.module.css';

type CodeBannerProps = {
  code: string;
  /** Replaces the code. The one on the screen stops working. */
  onRenew?: (() => void) | undefined;
  onDismiss: () => void;
};

/** Shows the continue code for another device. The server replaces a used code. */
export function CodeBanner({ code, onRenew, onDismiss }: CodeBannerProps) {
  const { copied, copy } = useCopy();
  const [leaving, setLeaving] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  // Screen readers announce only changes of a region, so set the text after it is on the page. Spell the digits.
  useEffect(
    () => setAnnouncement(fillText(texts.anotherDeviceCode, { code: code.split('').join(' ') })),
    [code],
  );

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
        <div className={styles.buttons}>
          {onRenew && (
            <button type="button" onClick={onRenew}>
              {texts.newCode}
            </button>
          )}
          <button type="button" onClick={() => void copy(code)}>
            {texts.copy}
          </button>
          <button type="button" onClick={dismiss}>
            {texts.dismiss}
          </button>
        </div>
      </div>
      <div aria-live="polite">
        <Hidden>{announcement}</Hidden>
      </div>
    </aside>
  );
}
