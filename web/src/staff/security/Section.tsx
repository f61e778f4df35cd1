import { type ReactNode, useId } from 'react';
import styles from './Section.module.css';

type SectionProps = {
  title: string;
  /** A word for how it stands. */
  state?: { text: string; good: boolean };
  note?: string;
  actions?: ReactNode;
  children?: ReactNode;
};

/** One way of signing in, or one thing about it. */
export function Section({ title, state, note, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.top}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {state && (
          <span className={styles.state} data-good={state.good}>
            {state.text}
          </span>
        )}
      </div>
      {note && <p className={styles.note}>{note}</p>}
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
