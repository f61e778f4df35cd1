import type { ComponentProps } from 'react';
import styles from './Button.module.css';

type ButtonProps = ComponentProps<'button'> & {
  /** primary: the one thing to do. quiet: text alone. outline: a tool among others. round: an icon alone. */
  look?: 'primary' | 'quiet' | 'outline' | 'bare' | 'round';
  danger?: boolean;
};

export function Button({ look = 'primary', danger = false, className, ...rest }: ButtonProps) {
  const classes = [styles.button, styles[look], danger && styles.danger, className].filter(Boolean).join(' ');
  return <button type="button" {...rest} className={classes} />;
}
