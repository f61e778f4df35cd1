import { texts } from '@settee/protocol/texts/texts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useMenuButton } from '../../ui/useMenuButton.ts';
import { lazyWithFallback } from '../lazyWithFallback.tsx';
import type { MoreActions, MoreMenuProps } from './MoreMenu.tsx';

const load = () => import('./MoreMenu.tsx').then((part) => part.MoreMenu);
const MoreMenu = lazyWithFallback<MoreMenuProps>(load);
/** Preloads the menu. A press retries a failed load. */
const prepare = () => void load().catch(() => undefined);

/** Opens the menu. Its script loads on hover or focus. */
export function MoreButton(actions: MoreActions) {
  const { open, close, button } = useMenuButton();
  return (
    <>
      <Button look="round" aria-label={texts.more} {...button} onPointerEnter={prepare} onFocus={prepare}>
        <Icon name="more" size={22} />
      </Button>
      {open && <MoreMenu {...actions} onClose={close} />}
    </>
  );
}
