import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import styles from './Notice.module.css';

type NoticeProps = { tone: 'lamp' | 'danger' | 'success'; icon?: IconName; children: ReactNode };

/** A strip across the page that says what happened. Trouble interrupts a reader; good news waits its turn. */
export function Notice({ tone, icon, children }: NoticeProps) {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      {icon && <Icon name={icon} size={17} />}
      <span>{children}</span>
    </div>
  );
}
