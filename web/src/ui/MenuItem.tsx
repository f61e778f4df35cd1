import type { ButtonHTMLAttributes } from 'react';
import styles from './Menu.module.css';

/** What can be chosen in a menu: an action, unless another role is given. */
export function MenuItem({ className, ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button
      type="button"
      role="menuitem"
      className={className ? `${styles.item} ${className}` : styles.item}
      {...rest}
    />
  );
}
