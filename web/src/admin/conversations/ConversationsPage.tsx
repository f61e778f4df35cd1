import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { type RefObject, useEffect, useRef } from 'react';
import { useLocation, useParams, useSearchParams } from 'react-router';
import { ListPage } from '../parts/ListPage.tsx';
import { useScope } from '../profiles/useProfiles.ts';
import { rowId } from './ConversationRow.tsx';
import styles from './ConversationsPage.module.css';
import { ConversationTable } from './ConversationTable.tsx';
import { type Filters, filtersIn, searchOf } from './FilterBar.tsx';
import { MessageResults } from './MessageResults.tsx';
import { ERASED } from './ThreadActions.tsx';
import { ThreadPane } from './ThreadPane.tsx';

/** All conversations, and the open one: beside the list on wide screens, otherwise in its place. */
export function ConversationsPage() {
  const { '*': openId = '' } = useParams();
  const [search, setSearch] = useSearchParams();
  const scope = useScope();
  const filters = filtersIn(search);
  const list = useFocusOnReturn(openId);

  /** Flushed at once, so that a search field never receives an older value than the one typed. */
  function show(next: Record<string, string>): void {
    setSearch({ ...next, ...scope }, { replace: true, preventScrollReset: true, flushSync: true });
  }
  const onChange = (next: Filters) => show(searchOf(next));

  return (
    <div className={styles.place} data-reading={openId !== ''} data-fills>
      <div ref={list} className={styles.list}>
        <ListPage title={adminTexts.conversations} titledElsewhere={openId !== ''}>
          {filters.in === 'messages' ? (
            <MessageResults filters={filters} openId={openId || undefined} onChange={onChange} />
          ) : (
            <ConversationTable
              filters={filters}
              openId={openId || undefined}
              onChange={onChange}
              onShowAll={() => show({})}
            />
          )}
        </ListPage>
      </div>
      {openId !== '' && <ThreadPane key={openId} id={openId} />}
    </div>
  );
}

/** After closing a conversation, focuses its row, or the title if the row is gone. */
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
