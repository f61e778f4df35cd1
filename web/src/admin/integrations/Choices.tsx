import { CheckField } from '../../staff/CheckField.tsx';
import styles from './integrations.module.css';

type ChoicesProps<T extends string> = {
  legend: string;
  options: readonly T[];
  hints: Readonly<Record<T, string>>;
  chosen: readonly T[];
  onChange: (chosen: T[]) => void;
};

/** A list of options with explanations, of which several can be chosen. */
export function Choices<T extends string>({ legend, options, hints, chosen, onChange }: ChoicesProps<T>) {
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {options.map((option) => (
        <CheckField
          key={option}
          label={option}
          hint={hints[option]}
          checked={chosen.includes(option)}
          onChange={(on) =>
            onChange(options.filter((each) => (each === option ? on : chosen.includes(each))))
          }
        />
      ))}
    </fieldset>
  );
}
