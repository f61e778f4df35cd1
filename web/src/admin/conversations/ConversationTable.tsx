import { adminTexts } from '@settee/protocol/adminTexts';
import { conversationAdminTexts as words } from '@settee/protocol/conversationAdminTexts';
import { fillText } from '@settee/protocol/fillText';
import { Link, useSearchParams } from 'react-router';
import { Card } from '../../staff/Card.tsx';
import { ListFailed, ListLoading, ListState } from '../../staff/ListState.tsx';
import { useMinute } from '../../staff/useMinute.ts';
import { Button } from '../../ui/Button.tsx';
import { OfChoice } from '../parts/OfChoice.tsx';
import { BulkBar } from './BulkBar.tsx';
import { ConversationRow } from './ConversationRow.tsx';
import styles from './ConversationTable.module.css';
import { type Filters, isFiltered } from './filters.ts';
import { type ConversationList, useConversationList } from './useConversationList.ts';
import { type Selection, useSelection } from './useSelection.ts';

type ConversationTableProps = { filters: Filters; openId: string | undefined; onShowAll: () => void };

const couldNotLoad = fillText(adminTexts.loadFailed, { thing: words.thing });

export function ConversationTable(props: ConversationTableProps) {
  const list = useConversationList(props.filters);
  const selection = useSelection(list.rows);
  return (
    <>
      <OfChoice earlier={list.earlier} empty={list.rows?.length === 0}>
        <Rows {...props} list={list} selection={selection} />
      </OfChoice>
      <BulkBar ids={selection.selected} onClear={selection.clear} />
    </>
  );
}

type RowsProps = ConversationTableProps & { list: ConversationList; selection: Selection };

function Rows({ filters, openId, onShowAll, list, selection }: RowsProps) {
  const { rows, failed, tryAgain, showMore } = list;
  const { selected, select, selectAll, clear } = selection;
  const now = useMinute();
  const [search] = useSearchParams();

  if (!rows) {
    return failed ? (
      <ListFailed text={couldNotLoad} onTryAgain={tryAgain} />
    ) : (
      <ListLoading text={adminTexts.adminLoading} />
    );
  }
  if (rows.length === 0) {
    return (
      <Card className={styles.empty}>
        <ListState>
          <p>{isFiltered(filters) ? words.noneFit : words.none}</p>
          {isFiltered(filters) ? (
            <Button look="outline" onClick={onShowAll}>
              {words.showAll}
            </Button>
          ) : (
            <Link to="/invites">{words.toInvites}</Link>
          )}
          {filters.q !== '' && <p>{words.messageSearch}</p>}
        </ListState>
      </Card>
    );
  }
  return (
    <Card className={styles.card}>
      <div className={styles.list}>
        <div className={styles.head}>
          <label className={styles.all}>
            <input
              type="checkbox"
              aria-label={words.selectAll}
              checked={selected.length === rows.length}
              ref={(box) => {
                if (box) box.indeterminate = selected.length > 0 && selected.length < rows.length;
              }}
              onChange={(event) => (event.target.checked ? selectAll() : clear())}
            />
          </label>
          {/* Each cell says by itself what it is; this is for the eye. */}
          <div className={styles.titles} aria-hidden="true">
            <span className={styles.who}>{words.visitor}</span>
            <span>{words.lastMessage}</span>
            <span>{words.handler}</span>
            <span className={styles.status}>{words.status}</span>
            <span className={styles.end}>{words.messages}</span>
          </div>
        </div>
        <ul className={styles.rows} aria-label={adminTexts.conversations}>
          {rows.map((row) => (
            <ConversationRow
              key={row.conversationId}
              row={row}
              now={now}
              open={row.conversationId === openId}
              search={search.toString()}
              selected={selected.includes(row.conversationId)}
              onSelect={select}
            />
          ))}
        </ul>
      </div>
      {failed && <ListFailed text={couldNotLoad} onTryAgain={tryAgain} />}
      {showMore && !failed && (
        <div className={styles.more}>
          <Button look="outline" onClick={showMore}>
            {adminTexts.more}
          </Button>
        </div>
      )}
    </Card>
  );
}
