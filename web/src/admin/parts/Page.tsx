import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useLiveAdmin } from '../context.ts';
import { useProfiles, useScope } from '../profiles/useProfiles.ts';
import styles from './Page.module.css';

export type PageProps = {
  title: string;
  /** Another part of the page sets the document title. */
  titledElsewhere?: boolean;
  /** Before the title. */
  lead?: ReactNode;
  /** Beside the title. */
  actions?: ReactNode;
  /** A sentence below the title. */
  note?: ReactNode;
  children?: ReactNode;
};

export function Page({ title, titledElsewhere = false, lead, actions, note, children }: PageProps) {
  useDocumentTitle(titledElsewhere ? null : title);
  const heading = useArrivalFocus();
  return (
    <>
      <header className={styles.top}>
        {lead}
        <h1 ref={heading} className={styles.title} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className={`${styles.actions} medium`}>{actions}</div>}
      </header>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {children}
    </>
  );
}

/** Sets the document title while the component is mounted. */
export function useDocumentTitle(title: string | null): void {
  const { brand } = useLiveAdmin();
  const { profiles } = useProfiles();
  const { profile } = useScope();
  const { displayName } = profiles.find(({ slug }) => slug === profile) ?? brand;
  useEffect(() => {
    if (title === null) return;
    const before = document.title;
    document.title = `${title} · ${displayName} · ${adminTexts.adminSuffix}`;
    return () => {
      document.title = before;
    };
  }, [title, displayName]);
}

/** Focuses the title after navigation, unless the page focused something else. */
function useArrivalFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  // After a page load the browser has set the focus.
  const arrived = useRef(key !== 'default');
  useEffect(() => {
    const inside = document.activeElement?.closest('main > *, dialog[open]');
    if (arrived.current && !inside) heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}
