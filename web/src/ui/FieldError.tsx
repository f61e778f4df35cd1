import styles from './FieldError.module.css';
import { Icon } from './Icon.tsx';

/** The alert region is always there: a reader announces only what changes inside a known one. */
export function FieldError({ id, text }: { id?: string; text: string | null | undefined }) {
  return (
    <div id={id} role="alert">
      {text && (
        <p className={styles.error}>
          <Icon name="alert" size={17} />
          {text}
        </p>
      )}
    </div>
  );
}
