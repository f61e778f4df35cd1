import { type ComponentProps, useId } from 'react';
import { staffShapes } from '../../staff/shapes.ts';
import { Shape } from '../../ui/Icon.tsx';
import styles from './Select.module.css';

type SelectProps = ComponentProps<'select'> & {
  label: string;
  options: readonly { value: string; text: string }[];
};

export function Select({ label, options, id, ...rest }: SelectProps) {
  const own = useId();
  const selectId = id ?? own;
  return (
    <div className={styles.field}>
      <label htmlFor={selectId}>{label}</label>
      <span>
        <select {...rest} id={selectId}>
          {options.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
        <Shape paths={staffShapes.chevron} size={18} />
      </span>
    </div>
  );
}
