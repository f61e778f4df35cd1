import { adminTexts } from '@settee/protocol/adminTexts';
import { useParams, useSearchParams } from 'react-router';
import { Page } from '../parts/Page.tsx';
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
  return (
    <div className={styles.place} data-reading={openId !== ''}>
      <div className={styles.list}>
        <Page title={adminTexts.conversations}>
          <FilterBar filters={filters} onChange={(next) => setSearch(searchOf(next), { replace: true })} />
          <ConversationTable
            filters={filters}
            openId={openId || undefined}
            onShowAll={() => setSearch({}, { replace: true })}
          />
        </Page>
      </div>
      {openId !== '' && <ThreadPane key={openId} id={openId} />}
    </div>
  );
}
