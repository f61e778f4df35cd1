import { type ComponentProps, type ReactNode, useId } from 'react';
import { FieldError } from '../../ui/FieldError.tsx';
import styles from './TextField.module.css';

type TextFieldProps = Omit<ComponentProps<'input'>, 'onChange' | 'value'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  hint?: ReactNode;
  error?: string | null | undefined;
  /** Makes it a textarea. */
  rows?: number;
};

/** A labelled field with hint and error for screen readers. */
export function TextField({ label, value, onChange, hint, error, rows, ...rest }: TextFieldProps) {
  const id = useId();
  const shared = {
    id,
    value,
    className: styles.input,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <input {...rest} {...shared} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <textarea
          {...shared}
          rows={rows}
          maxLength={rest.maxLength}
          placeholder={rest.placeholder}
          required={rest.required}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {hint && (
        <p id={`${id}-hint`} className="ink-3">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}
