import { texts } from '@settee/protocol/texts';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../ui/Icon.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import styles from './Bell.module.css';
import { type Permission, readPermission } from './notices.ts';
import { Panel, type PanelLook } from './Panel.tsx';

const READ_AFTER_MS = 100;

export type BellProps = PanelLook & {
  /** Whoever is told. Without one there is nobody to notify, and the bell is muted. */
  personId?: string | undefined;
  /** The person is still being signed in. */
  loading?: boolean;
};

/** The notification settings: a bell, and the panel that opens under the header it stands in. */
export function Bell({ personId, loading = false, ...look }: BellProps) {
  const corner = useRef<HTMLDivElement>(null);
  const [permission, setPermission] = useState<Permission>();
  const [open, setOpen] = useState(false);
  const state = loading || (personId && !permission) ? 'loading' : personId ? 'normal' : 'muted';

  useEffect(() => {
    const timer = setTimeout(() => setPermission(readPermission()), READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  return (
    <div ref={corner} className={look.side && styles.corner}>
      <Tooltip text={texts.notifications} position={look.side ?? 'bottom'}>
        {(id) => (
          <button
            type="button"
            className={styles.bell}
            aria-labelledby={id}
            aria-haspopup="dialog"
            aria-expanded={open}
            aria-disabled={state !== 'normal'}
            data-state={state}
            onClick={() => state === 'normal' && setOpen(!open)}
          >
            <Icon name={state === 'muted' ? 'bellOff' : 'bell'} size={22} />
          </button>
        )}
      </Tooltip>
      {open && permission && (
        <Panel
          {...look}
          corner={corner}
          permission={permission}
          onPermission={setPermission}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
