import { adminTexts } from '@settee/protocol/adminTexts';
import { useEffect, useRef } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { Page } from '../parts/Page.tsx';
import { rowId } from './ConversationRow.tsx';
import styles from './ConversationsPage.module.css';
import { ConversationTable } from './ConversationTable.tsx';
import { FilterBar } from './FilterBar.tsx';
import { filtersIn, searchOf } from './filters.ts';
import { ThreadPane } from './ThreadPane.tsx';

/** Every desk's conversations, and the one that is read: beside them where there is room, else in their place. */
export function ConversationsPage() {
  const { '*': openId = '' } = useParams();
  const [search, setSearch] = useSearchParams();
  const filters = filtersIn(search);
  useFocusOnReturn(openId);

  /** At once, so that a field which is typed in never hears of its words before the last ones. */
  function show(next: Record<string, string>): void {
    setSearch(next, { replace: true, preventScrollReset: true, flushSync: true });
  }

  return (
    <div className={styles.place} data-reading={openId !== ''}>
      <div className={styles.list}>
        <Page title={adminTexts.conversations}>
          <FilterBar filters={filters} onChange={(next) => show(searchOf(next))} />
          <ConversationTable filters={filters} openId={openId || undefined} onShowAll={() => show({})} />
        </Page>
      </div>
      {openId !== '' && <ThreadPane key={openId} id={openId} />}
    </div>
  );
}

/** Whoever has read one stands at its row again, and goes on from there. */
function useFocusOnReturn(openId: string): void {
  const before = useRef(openId);
  useEffect(() => {
    if (openId === '' && before.current !== '') document.getElementById(rowId(before.current))?.focus();
    before.current = openId;
  }, [openId]);
}
