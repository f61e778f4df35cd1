import styles from './FieldError.module.css';
import { Icon } from './Icon.tsx';

type FieldErrorProps = {
  id?: string;
  text: string | null | undefined;
  /** What to do, in a line of its own. */
  advice?: string | undefined;
};

/** Always rendered, because screen readers announce only changes of an existing region. */
export function FieldError({ id, text, advice }: FieldErrorProps) {
  return (
    <div id={id} role="alert">
      {text && (
        <p className={styles.error}>
          <Icon name="alert" size={17} />
          {text}
        </p>
      )}
      {text && advice && <p className={styles.advice}>{advice}</p>}
    </div>
  );
}
