import { texts } from '@settee/protocol/texts';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../ui/Icon.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import styles from './Bell.module.css';
import { type Permission, readPermission } from './notices.ts';
import { Panel } from './Panel.tsx';
import { type Chat, useBackgroundNotices } from './useBackgroundNotices.ts';

const READ_AFTER_MS = 100;

export type BellProps = {
  /** Without one there is nobody to notify, and the bell is muted. */
  visitorId?: string | undefined;
  /** The visitor is still being signed in. */
  loading?: boolean;
  /** The conversation whose messages it tells of. */
  chat?: Chat;
};

/** The notification settings: a bell, and the panel that opens under the header it stands in. */
export function Bell({ visitorId, loading = false, chat }: BellProps) {
  useBackgroundNotices(chat);
  const corner = useRef<HTMLDivElement>(null);
  const [permission, setPermission] = useState<Permission>();
  const [open, setOpen] = useState(false);
  const state = loading || (visitorId && !permission) ? 'loading' : visitorId ? 'normal' : 'muted';

  useEffect(() => {
    const timer = setTimeout(() => setPermission(readPermission()), READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  return (
    <div ref={corner}>
      <Tooltip text={texts.notifications} position="bottom">
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
          corner={corner}
          permission={permission}
          onPermission={setPermission}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}
