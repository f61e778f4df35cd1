import type { ReactNode } from 'react';
import styles from './SkipLink.module.css';

type SkipLinkProps = { to: string; onSkip?: () => void; children: ReactNode };

/** The first Tab stop, visible only while focused. */
export function SkipLink({ to, onSkip, children }: SkipLinkProps) {
  return (
    <a
      className={styles.skip}
      href={`#${to}`}
      onClick={(event) => {
        if (!onSkip) return;
        // Keeps the address.
        event.preventDefault();
        onSkip();
      }}
    >
      {children}
    </a>
  );
}
