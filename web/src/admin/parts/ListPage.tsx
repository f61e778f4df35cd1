import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import type { ReactNode, Ref } from 'react';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/FieldError.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { SetteeDrawing } from '../../ui/SetteeDrawing.tsx';
import styles from './ListPage.module.css';
import toolStyles from './ListTools.module.css';
import { Page, type PageProps } from './Page.tsx';
import { type More, rangeText } from './paging.ts';

/** A page with one list. It fills the window; only the rows scroll. */
export function ListPage({ children, ...page }: PageProps) {
  return (
    <div className={styles.place} data-fills>
      <Page {...page}>{children}</Page>
    </div>
  );
}

type ListPanelProps = {
  /** Name of the scrolling region. */
  label: string;
  tools?: ReactNode;
  foot?: ReactNode;
  /** Leaves space for the bulk bar. */
  picking?: boolean;
  scrollRef?: Ref<HTMLElement> | undefined;
  children: ReactNode;
};

/** Toolbar, rows and foot. */
export function ListPanel({ label, tools, foot, picking = false, scrollRef, children }: ListPanelProps) {
  return (
    <div className={styles.panel} data-picking={picking}>
      {tools && <search className={toolStyles.tools}>{tools}</search>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section ref={scrollRef} className={styles.scroll} aria-label={label} tabIndex={0}>
        {children}
      </section>
      {foot}
    </div>
  );
}

type ListFootProps = {
  shown: number;
  /** Undefined if unknown. */
  total?: number | string | undefined;
  /** Undefined at the end of the list. */
  more?: More | undefined;
  /** Used in "Couldn’t load {thing}." */
  thing: string;
  children?: ReactNode;
};

/** The shown range and a button for more. */
export function ListFoot({ shown, total, more, thing, children }: ListFootProps) {
  return (
    <footer className={styles.foot}>
      <p>{rangeText(shown, more ? total : shown)}</p>
      {children}
      {more && (
        <>
          <FieldError text={more.failed ? fillText(adminTexts.loadFailed, { thing }) : null} />
          <Button look="outline" disabled={more.busy} onClick={more.load}>
            {adminTexts.more}
          </Button>
        </>
      )}
    </footer>
  );
}

/** Announces the number of results without moving the focus. Empty while loading. */
export function ResultCount({ count, more = false }: { count: number | undefined; more?: boolean }) {
  return (
    <span role="status">
      <Hidden>{count === undefined ? '' : foundText(count, more)}</Hidden>
    </span>
  );
}

function foundText(count: number, more: boolean): string {
  return fillText(more && count > 1 ? adminTexts.foundMore : adminTexts.found, { count });
}

type EmptyListProps = {
  title: string;
  note: string;
  /** A button with the suggested action. */
  action?: string;
  onAction?: () => void;
  children?: ReactNode;
};

/** Shown instead of rows. */
export function EmptyList({ title, note, action, onAction, children }: EmptyListProps) {
  return (
    <div className={styles.empty}>
      <SetteeDrawing seats="empty" width={220} />
      <h2>{title}</h2>
      {note && <p>{note}</p>}
      {action && (
        <Button look="outline" onClick={onAction}>
          {action}
        </Button>
      )}
      {children}
    </div>
  );
}

/** Shown instead of rows if a filter is set. */
export function NoMatches(props: { action: string; onAction: () => void }) {
  return <EmptyList title={adminTexts.noMatches} note={adminTexts.noMatchesNote} {...props} />;
}
