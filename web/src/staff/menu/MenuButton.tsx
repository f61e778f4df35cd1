import { type ComponentProps, type ReactNode, useCallback, useRef } from 'react';
import { Icon, Shape } from '../../ui/Icon.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { useMenuButton } from '../../ui/useMenuButton.ts';
import styles from './MenuButton.module.css';
import { placeMenu } from './placeMenu.ts';

type MenuButtonProps = {
  label: string;
  className: string | undefined;
  disabled?: boolean;
  /** The menu begins where the button begins. */
  fromStart?: boolean;
  face: ReactNode;
  children: (choose: (action: () => void) => void) => ReactNode;
};

export function MenuButton(props: MenuButtonProps) {
  const { label, className, disabled = false, fromStart, face, children } = props;
  const { open, close, button } = useMenuButton();
  const own = useRef<HTMLButtonElement>(null);
  const place = useCallback(
    (menu: HTMLElement) => {
      if (own.current) placeMenu(own.current.getBoundingClientRect(), menu, fromStart);
    },
    [fromStart],
  );
  return (
    <>
      <button
        ref={own}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        disabled={disabled}
        {...button}
      >
        {face}
      </button>
      {open && (
        <Menu label={label} className={styles.menu} onClose={close} place={place}>
          {children}
        </Menu>
      )}
    </>
  );
}

type ActionItemProps = Pick<ComponentProps<'button'>, 'className' | 'disabled'> & {
  action: { text: string; shape: readonly string[]; run: () => void };
  choose: (action: () => void) => void;
};

export function ActionItem({ action, choose, ...rest }: ActionItemProps) {
  return (
    <MenuItem {...rest} onClick={() => choose(action.run)}>
      <Shape paths={action.shape} />
      {action.text}
    </MenuItem>
  );
}

type CheckItemProps = {
  role: 'menuitemcheckbox' | 'menuitemradio';
  checked: boolean;
  onChoose: () => void;
  children: ReactNode;
};

/** A menu choice. The menu stays open. */
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

/** Who is signed in, at the top of the account menu. */
export function MenuHeader({ name, note }: { name: string; note: ReactNode }) {
  return (
    <p className={styles.header}>
      <b>
        <bdi>{name}</bdi>
      </b>
      <span>{note}</span>
    </p>
  );
}
