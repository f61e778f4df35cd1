import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.tsx';
import styles from './Notice.module.css';

type NoticeProps = {
  tone: 'lamp' | 'danger' | 'success';
  /** An error has a warning sign by default. */
  icon?: IconName | null;
  children: ReactNode;
};

/** A message across the page. Errors interrupt screen readers, other messages wait. */
export function Notice({ tone, icon = tone === 'danger' ? 'alert' : null, children }: NoticeProps) {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'danger' ? 'alert' : 'status'}>
      {icon && <Icon name={icon} size={17} />}
      <span>{children}</span>
    </div>
  );
}
