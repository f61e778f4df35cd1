import styles from './FieldError.module.css';
import { Icon } from './Icon.tsx';

/** Always rendered, because screen readers announce only changes of an existing region. */
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
