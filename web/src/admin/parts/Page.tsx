import { adminTexts } from '@settee/protocol/adminTexts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
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
  const heading = useArrivalFocus();
  useEffect(() => {
    document.title = `${title} · ${brand.displayName} · ${adminTexts.adminSuffix}`;
  }, [title, brand.displayName]);
  return (
    <>
      <header className={styles.top}>
        <h1 ref={heading} className={styles.title} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** Whoever came by a link of the area starts at the title, unless the place put the focus somewhere itself. */
function useArrivalFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  // Where the browser itself opened the page, it put the focus already.
  const arrived = useRef(key !== 'default');
  useEffect(() => {
    const inside = document.activeElement?.closest('main > *, dialog[open]');
    if (arrived.current && !inside) heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}
