import { type ComponentProps, useId } from 'react';
import { staffShapes } from '../../staff/shapes.ts';
import { Shape } from '../../ui/Icon.tsx';
import styles from './Select.module.css';

type OptionsProps<T extends string> = Omit<ComponentProps<'select'>, 'onChange'> & {
  value: T;
  options: readonly { value: T; text: string }[];
  onChange: (value: T) => void;
};

export function Select<T extends string>({ label, ...rest }: OptionsProps<T> & { label: string }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <span>
        <Options {...rest} id={id} />
        <Shape paths={staffShapes.chevron} size={18} />
      </span>
    </div>
  );
}

/** The browser's own control, without a label beside it. */
export function Options<T extends string>({ options, onChange, ...rest }: OptionsProps<T>) {
  return (
    <select {...rest} onChange={({ target }) => onChange(target.value as T)}>
      {options.map(({ value, text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
