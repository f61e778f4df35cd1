import type { ReactNode } from 'react';
import { Icon } from '../../ui/Icon.tsx';
import { MenuItem } from '../../ui/MenuItem.tsx';
import styles from './CheckItem.module.css';

type CheckItemProps = {
  role: 'menuitemcheckbox' | 'menuitemradio';
  checked: boolean;
  onChoose: () => void;
  children: ReactNode;
};

/** A choice in a menu, which stays open: the next one may follow. */
export function CheckItem({ role, checked, onChoose, children }: CheckItemProps) {
  return (
    <MenuItem role={role} aria-checked={checked} className={styles.check} onClick={onChoose}>
      <span>{children}</span>
      <span className={styles.tick}>
        <Icon name="check" size={18} />
      </span>
    </MenuItem>
  );
}
