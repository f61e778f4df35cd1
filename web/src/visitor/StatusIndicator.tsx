import { texts } from '@settee/protocol/texts/texts';
import type { Presence } from './profile.ts';
import styles from './StatusIndicator.module.css';

/** Shows "online" only if the presence is known to be online. */
export function StatusIndicator({ presence }: { presence: Presence }) {
  const online = presence === 'online';
  return (
    <p className={styles.status} data-online={online} role="status">
      {presence === 'checking' ? texts.checkingStatus : online ? texts.online : texts.nobodyHere}
    </p>
  );
}
