import type { ReactNode } from 'react';
import { Icon } from '../../ui/Icon.tsx';
import styles from './items.module.css';

type CheckItemProps = {
  role: 'menuitemcheckbox' | 'menuitemradio';
  checked: boolean;
  onChoose: () => void;
  children: ReactNode;
};

/** A choice in a menu, which stays open: the next one may follow. */
export function CheckItem({ role, checked, onChoose, children }: CheckItemProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles can be checked
    <button type="button" role={role} aria-checked={checked} className={styles.item} onClick={onChoose}>
      <span>{children}</span>
      <span className={styles.tick}>
        <Icon name="check" size={18} />
      </span>
    </button>
  );
}
