import type { ButtonHTMLAttributes } from 'react';
import styles from './Menu.module.css';

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
