import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './Field.module.css';
import { FieldError } from './FieldError.tsx';

type FieldProps = ComponentProps<'input'> & {
  label: string;
  aside?: ReactNode;
  error?: string | null;
  advice?: string | undefined;
};

export function Field({ label, aside, error, advice, id, ...rest }: FieldProps) {
  const own = useId();
  const inputId = id ?? own;
  const errorId = `${inputId}-error`;
  return (
    <div className={styles.field}>
      <div className={styles.top}>
        <label htmlFor={inputId}>{label}</label>
        {aside}
      </div>
      <input
        {...rest}
        id={inputId}
        className={styles.input}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
      />
      <FieldError id={errorId} text={error} advice={advice} />
    </div>
  );
}
