import type { ReactNode } from 'react';
import styles from './SkipLink.module.css';

type SkipLinkProps = { to: string; onSkip?: () => void; children: ReactNode };

/** The first stop of the Tab key, in sight only while it has the focus. */
export function SkipLink({ to, onSkip, children }: SkipLinkProps) {
  return (
    <a
      className={styles.skip}
      href={`#${to}`}
      onClick={(event) => {
        if (!onSkip) return;
        // The address stays as it is.
        event.preventDefault();
        onSkip();
      }}
    >
      {children}
    </a>
  );
}
