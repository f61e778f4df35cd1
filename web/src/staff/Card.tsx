import { type ReactNode, type Ref, useId } from 'react';
import styles from './Card.module.css';

type CardProps = {
  title?: string;
  /** For a heading that takes the focus. */
  titleRef?: Ref<HTMLHeadingElement>;
  aside?: ReactNode;
  note?: string;
  actions?: ReactNode;
  className?: string | undefined;
  children?: ReactNode;
};

export function Card({ title, titleRef, aside, note, actions, className, children }: CardProps) {
  const id = useId();
  return (
    <section className={[styles.card, className].filter(Boolean).join(' ')} aria-labelledby={title && id}>
      {title && (
        <header className={styles.top}>
          <h2 ref={titleRef} id={id} className={styles.title} tabIndex={titleRef ? -1 : undefined}>
            {title}
          </h2>
          {aside}
        </header>
      )}
      {note && <p className={styles.note}>{note}</p>}
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
