import type { ComponentProps } from 'react';
import styles from './Button.module.css';

type ButtonProps = ComponentProps<'button'> & {
  /** primary: the main action. quiet: text only. outline: a tool. round: an icon. */
  look?: 'primary' | 'quiet' | 'outline' | 'bare' | 'round';
  /** Without it, the main and the quiet action are large and as wide as their place, the others medium. */
  size?: 'sm' | 'md';
  danger?: boolean;
};

export function Button({ look = 'primary', size, danger = false, className, ...rest }: ButtonProps) {
  const classes = [styles.button, styles[look], danger && styles.danger, className].filter(Boolean).join(' ');
  return <button type="button" {...rest} className={classes} data-size={size} />;
}
