import { type ReactNode, useCallback, useRef } from 'react';
import { Menu } from '../../ui/Menu.tsx';
import { useMenuButton } from '../../ui/useMenuButton.ts';
import styles from './MenuButton.module.css';

const GAP_PX = 6;
const FROM_EDGE_PX = 8;

type MenuButtonProps = {
  label: string;
  className: string | undefined;
  disabled?: boolean;
  /** What the button shows. */
  face: ReactNode;
  children: (choose: (action: () => void) => void) => ReactNode;
};

export function MenuButton({ label, className, disabled = false, face, children }: MenuButtonProps) {
  const { open, close, button } = useMenuButton();
  const own = useRef<HTMLButtonElement>(null);
  const place = useCallback((menu: HTMLElement) => {
    if (own.current) placeBy(own.current.getBoundingClientRect(), menu);
  }, []);
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

/** Under the button if there is room, else over it; along its edge, and never out of the window. */
function placeBy(button: DOMRect, menu: HTMLElement): void {
  const { offsetWidth: width, offsetHeight: height } = menu;
  const under = button.bottom + GAP_PX;
  const fits = under + height <= innerHeight - FROM_EDGE_PX;
  const top = fits ? under : Math.max(FROM_EDGE_PX, button.top - GAP_PX - height);
  const rightmost = innerWidth - width - FROM_EDGE_PX;
  const left = Math.max(FROM_EDGE_PX, Math.min(button.right - width, rightmost));
  menu.style.top = `${top}px`;
  menu.style.left = `${left}px`;
}
