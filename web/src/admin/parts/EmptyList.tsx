import type { ReactNode } from 'react';
import { SetteeDrawing } from '../../ui/SetteeDrawing.tsx';
import styles from './ListPage.module.css';

type EmptyListProps = {
  title: string;
  note?: string | undefined;
  /** The one thing to do about it. */
  children?: ReactNode;
};

/** In place of rows: nobody on the settee. */
export function EmptyList({ title, note, children }: EmptyListProps) {
  return (
    <div className={styles.empty}>
      <SetteeDrawing seats="empty" width={220} />
      <h2>{title}</h2>
      {note && <p>{note}</p>}
      {children}
    </div>
  );
}
