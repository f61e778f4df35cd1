import { adminTexts } from '@settee/protocol/adminTexts';
import { type RefObject, useEffect, useRef } from 'react';
import { useLocation, useParams, useSearchParams } from 'react-router';
import { Page } from '../parts/Page.tsx';
import { rowId } from './ConversationRow.tsx';
import styles from './ConversationsPage.module.css';
import { ConversationTable } from './ConversationTable.tsx';
import { ERASED } from './erased.ts';
import { FilterBar } from './FilterBar.tsx';
import { filtersIn, searchOf } from './filters.ts';
import { ThreadPane } from './ThreadPane.tsx';

/** Every desk's conversations, and the one that is read: beside them where there is room, else in their place. */
export function ConversationsPage() {
  const { '*': openId = '' } = useParams();
  const [search, setSearch] = useSearchParams();
  const filters = filtersIn(search);
  const list = useFocusOnReturn(openId);

  /** At once, so that a field which is typed in never hears of its words before the last ones. */
  function show(next: Record<string, string>): void {
    setSearch(next, { replace: true, preventScrollReset: true, flushSync: true });
  }

  return (
    <div className={styles.place} data-reading={openId !== ''}>
      <div ref={list} className={styles.list}>
        <Page title={adminTexts.conversations}>
          <FilterBar filters={filters} onChange={(next) => show(searchOf(next))} />
          <ConversationTable filters={filters} openId={openId || undefined} onShowAll={() => show({})} />
        </Page>
      </div>
      {openId !== '' && <ThreadPane key={openId} id={openId} />}
    </div>
  );
}

/** Whoever has read one stands at its row again, and goes on from there; where it has none, at the list's title. */
function useFocusOnReturn(openId: string): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null);
  const before = useRef(openId);
  const { state } = useLocation() as { state: unknown };
  useEffect(() => {
    if (openId === '' && before.current !== '') {
      const row = state === ERASED ? null : document.getElementById(rowId(before.current));
      (row ?? list.current?.querySelector('h1'))?.focus({ preventScroll: row === null });
    }
    before.current = openId;
  }, [openId, state]);
  return list;
}
