import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { bellShapes } from '../ui/bellShapes.ts';
import { Shape } from '../ui/Icon.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import styles from './Bell.module.css';
import { Panel, type PanelLook } from './Panel.tsx';
import type { Push } from './push.ts';

export type BellProps = PanelLook & {
  /** Notifications of the current user. Without it the bell is disabled. */
  push: Push | undefined;
  /** The user is still being signed in. */
  loading?: boolean;
  /** Shows only the panel, which another control opens. */
  bare?: boolean;
  /** Calls back when another control wants to open the panel. */
  openedBy?: (open: () => void) => () => void;
};

/** The notification settings: a bell, and the panel that opens under its header. */
export function Bell({ push, loading = false, bare = false, openedBy, ...look }: BellProps) {
  const corner = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const status = usePushStatus(push);
  const looking = status === 'loading';
  const state = loading || (push && looking) ? 'loading' : push ? 'normal' : 'muted';

  useEffect(() => openedBy?.(() => setOpen(true)), [openedBy]);

  return (
    <div ref={corner} className={look.side && styles.corner}>
      {!bare && (
        <Tooltip text={texts.notifications} position={look.side ?? 'bottom'}>
          {(id) => (
            <button
              type="button"
              className={`icon-button ${styles.bell}`}
              aria-labelledby={id}
              aria-haspopup="dialog"
              aria-expanded={open}
              aria-disabled={state !== 'normal'}
              data-state={state}
              data-on={status === 'on'}
              onClick={() => state === 'normal' && setOpen(!open)}
            >
              <Shape paths={bellShapes[state === 'muted' ? 'bellOff' : 'bell']} size={22} />
            </button>
          )}
        </Tooltip>
      )}
      {open && push && <Panel {...look} corner={corner} push={push} onClose={() => setOpen(false)} />}
    </div>
  );
}

const never = () => () => {};

function usePushStatus(push: Push | undefined) {
  return useSyncExternalStore(push?.subscribe ?? never, () => push?.get().status);
}
