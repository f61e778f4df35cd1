import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useLiveAdmin } from '../context.ts';
import styles from './Page.module.css';

export type PageProps = {
  title: string;
  /** Another part of the page gives it its title: the conversation that is read. */
  titledElsewhere?: boolean;
  /** Beside the title: what one does here. */
  actions?: ReactNode;
  children?: ReactNode;
};

/** One place of the admin area: a title, what to do there, and what it shows. */
export function Page({ title, titledElsewhere = false, actions, children }: PageProps) {
  useDocumentTitle(titledElsewhere ? null : title);
  const heading = useArrivalFocus();
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

/** What is on show first, then whose installation it is. A step inside a page has its own while it lasts. */
export function useDocumentTitle(title: string | null): void {
  const { brand } = useLiveAdmin();
  useEffect(() => {
    if (title === null) return;
    const before = document.title;
    document.title = `${title} · ${brand.displayName} · ${adminTexts.adminSuffix}`;
    return () => {
      document.title = before;
    };
  }, [title, brand.displayName]);
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
