import type { ComponentProps } from 'react';
import styles from './Button.module.css';

type ButtonProps = ComponentProps<'button'> & {
  /** primary: the main action. quiet: text only. outline: a tool. round: an icon. */
  look?: 'primary' | 'quiet' | 'outline' | 'bare' | 'round';
  danger?: boolean;
};

export function Button({ look = 'primary', danger = false, className, ...rest }: ButtonProps) {
  const classes = [styles.button, styles[look], danger && styles.danger, className].filter(Boolean).join(' ');
  return <button type="button" {...rest} className={classes} />;
}
