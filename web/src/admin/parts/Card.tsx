import { type ReactNode, useId } from 'react';
import styles from './Card.module.css';

type CardProps = { title?: string; aside?: ReactNode; className?: string | undefined; children: ReactNode };

/** A white sheet with a heading of its own. */
export function Card({ title, aside, className, children }: CardProps) {
  const id = useId();
  return (
    <section className={[styles.card, className].filter(Boolean).join(' ')} aria-labelledby={title && id}>
      {title && (
        <header className={styles.top}>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}
