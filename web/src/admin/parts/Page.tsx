import { adminTexts } from '@settee/protocol/adminTexts';
import { type ReactNode, useEffect } from 'react';
import { useLiveAdmin } from '../context.ts';
import styles from './Page.module.css';

type PageProps = {
  title: string;
  /** Beside the title: what one does here. */
  actions?: ReactNode;
  children?: ReactNode;
};

/** One place of the admin area: a title, what to do there, and what it shows. */
export function Page({ title, actions, children }: PageProps) {
  const { brand } = useLiveAdmin();
  useEffect(() => {
    document.title = `${title} · ${brand.displayName} · ${adminTexts.adminSuffix}`;
  }, [title, brand.displayName]);
  return (
    <>
      <header className={styles.top}>
        <h1 className={styles.title}>{title}</h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </>
  );
}
