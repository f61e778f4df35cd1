import { FIND_MIN } from '@settee/protocol/calls/conversationAdminCalls';
import type { Answer } from '@settee/protocol/calls/http';
import { initials } from '@settee/protocol/model/initials';
import { SEARCH_HITS_MAX } from '@settee/protocol/model/search';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { ListFailed, ListLoading } from '../../staff/ListState.tsx';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { Marked } from '../../staff/search/Marked.tsx';
import { snippet } from '../../staff/search/snippet.ts';
import { tintOf } from '../../staff/tint.ts';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { useAdmin } from '../context.ts';
import { EmptyList, ListFoot, ListPanel, ResultCount } from '../parts/ListPage.tsx';
import { type Column, ListRow, ListTable } from '../parts/ListTable.tsx';
import styles from './ConversationRow.module.css';
import { rowId } from './ConversationRow.tsx';
import { FilterBar } from './FilterBar.tsx';
import { type Filters, searchOf } from './filters.ts';

type Found = Answer<'searchMessages'>['messages'][number];

const columns: readonly Column[] = [
  { text: texts.foundIn, width: 220 },
  { text: texts.foundText, line: 'whole' },
  { text: texts.handler, width: 128 },
  { text: texts.foundAt, width: 128, number: true, line: 'corner' },
];

type MessageResultsProps = {
  filters: Filters;
  openId: string | undefined;
  onChange: (filters: Filters) => void;
};

/** Messages of all desks that contain the search text. Searches only on Enter. */
export function MessageResults({ filters, openId, onChange }: MessageResultsProps) {
  const { session } = useAdmin();
  const asked = filters.q.trim().length >= FIND_MIN;
  const read = useQuery({
    // No topic in the key: an update must not repeat the search, because each search is audited.
    queryKey: ['messageSearch', filters.q],
    enabled: asked,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => readOrThrow(session.api, 'searchMessages', { query: { q: filters.q } }),
  });
  const { data } = read;
  return (
    <>
      <ListPanel
        label={texts.searchMessages}
        tools={<FilterBar filters={filters} counts={undefined} onChange={onChange} />}
        foot={
          data &&
          data.messages.length > 0 && (
            <ListFoot shown={data.messages.length} thing={texts.thing}>
              <LimitNote complete={data.complete} full={data.messages.length === SEARCH_HITS_MAX} />
            </ListFoot>
          )
        }
      >
        {!asked && <EmptyList title={texts.searchStart} note={texts.searchStartNote} />}
        {asked && read.isPending && <ListLoading text={adminTexts.adminLoading} />}
        {read.isError && <ListFailed text={texts.searchFailed} onTryAgain={() => void read.refetch()} />}
        {data?.messages.length === 0 && (
          <EmptyList
            title={adminTexts.noMatches}
            note={data.complete ? adminTexts.noMatchesNote : texts.searchIncomplete}
          />
        )}
        {data && data.messages.length > 0 && (
          <Results messages={data.messages} filters={filters} openId={openId} />
        )}
      </ListPanel>
      <ResultCount count={data?.messages.length} />
    </>
  );
}

function LimitNote({ complete, full }: { complete: boolean; full: boolean }) {
  if (!complete) return <p>{texts.searchIncomplete}</p>;
  return full && <p>{fillText(texts.searchMost, { max: String(SEARCH_HITS_MAX) })}</p>;
}

type ResultsProps = { messages: readonly Found[]; filters: Filters; openId: string | undefined };

function Results({ messages, filters, openId }: ResultsProps) {
  const now = useCurrentMinute();
  return (
    <ListTable label={texts.searchMessages} columns={columns}>
      {messages.map((message, index) => {
        const { conversationId: id, seq, createdAt } = message;
        const name = visitorNameOrLabel(message);
        const first = messages.findIndex((other) => other.conversationId === id) === index;
        return (
          <ListRow
            key={`${id} ${seq}`}
            columns={columns}
            open={id === openId}
            cells={[
              <span key="name" className={styles.who}>
                <Avatar letters={initials(name)} size={28} tint={tintOf(message.visitorId)} />
                <Link
                  id={first ? rowId(id) : undefined}
                  data-row
                  preventScrollReset
                  to={{
                    pathname: `/conversations/${id}`,
                    search: new URLSearchParams({ ...searchOf(filters), message: String(seq) }).toString(),
                  }}
                  aria-current={id === openId ? 'page' : undefined}
                >
                  <bdi>{name}</bdi>
                </Link>
              </span>,
              <span key="text" className={styles.found}>
                {message.sender === 'owner' && `${message.handlerAlias}: `}
                <bdi>
                  <Marked parts={snippet(message.text, filters.q)} />
                </bdi>
              </span>,
              message.handlerAlias,
              <time key="time" dateTime={new Date(createdAt).toISOString()}>
                {dateAndTime(createdAt, now)}
              </time>,
            ]}
          />
        );
      })}
    </ListTable>
  );
}
