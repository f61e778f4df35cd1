import { type ReactNode, useId } from 'react';
import { Hidden } from '../../ui/Hidden.tsx';
import styles from './Segments.module.css';

type RadiosProps<T extends string> = {
  label: string;
  value: T;
  options: readonly { value: T; text: ReactNode }[];
  onChange: (value: T) => void;
};

/** Joined buttons, of which one is pressed. */
export function Segments<T extends string>(props: RadiosProps<T>) {
  return <Radios {...props} className={styles.segments} />;
}

type LookProps = {
  className: string | undefined;
  /** For the text of each option. */
  textClassName?: string;
};

/** Radio buttons side by side. */
export function Radios<T extends string>(props: RadiosProps<T> & LookProps) {
  const { label, value, options, onChange, className, textClassName } = props;
  const name = useId();
  return (
    <fieldset className={className}>
      <legend>
        <Hidden>{label}</Hidden>
      </legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={textClassName}>{option.text}</span>
        </label>
      ))}
    </fieldset>
  );
}
