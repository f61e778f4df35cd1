import { FIND_MIN } from '@settee/protocol/calls/conversationAdminCalls';
import type { Answer } from '@settee/protocol/calls/http';
import { SEARCH_HITS_MAX } from '@settee/protocol/model/search';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useQuery } from '@tanstack/react-query';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { ListFailed, ListLoading } from '../../staff/ListState.tsx';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { Marked, snippet } from '../../staff/search/snippet.tsx';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import { useAdmin } from '../context.ts';
import { EmptyList, ListFoot, ListPanel, ResultCount } from '../parts/ListPage.tsx';
import { type Column, ListRow, ListTable } from '../parts/ListTable.tsx';
import { useScope } from '../profiles/useProfiles.ts';
import { DeskName } from '../useDesks.tsx';
import styles from './ConversationRow.module.css';
import { rowId, VisitorLink } from './ConversationRow.tsx';
import { FilterBar, type Filters } from './FilterBar.tsx';

type Found = Answer<'searchMessages'>['messages'][number];

type MessageResultsProps = {
  filters: Filters;
  openId: string | undefined;
  onChange: (filters: Filters) => void;
};

/** Messages of all desks that contain the search text. Searches only on Enter. */
export function MessageResults({ filters, openId, onChange }: MessageResultsProps) {
  const { session } = useAdmin();
  const scope = useScope();
  const asked = filters.q.trim().length >= FIND_MIN;
  const read = useQuery({
    // No topic in the key: an update must not repeat the search, because each search is audited.
    queryKey: ['messageSearch', filters.q, scope],
    enabled: asked,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => readOrThrow(session.api, 'searchMessages', { query: { q: filters.q, ...scope } }),
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
          <Results messages={data.messages} searched={filters.q} openId={openId} />
        )}
      </ListPanel>
      <ResultCount count={data?.messages.length} />
    </>
  );
}

function LimitNote({ complete, full }: { complete: boolean; full: boolean }) {
  if (!complete) return <p>{texts.searchIncomplete}</p>;
  return full && <p>{fillText(texts.searchMost, { max: SEARCH_HITS_MAX })}</p>;
}

type ResultsProps = { messages: readonly Found[]; searched: string; openId: string | undefined };

function Results({ messages, searched, openId }: ResultsProps) {
  const minute = useCurrentMinute();
  const isFirst = (message: Found) =>
    messages.find(({ conversationId }) => conversationId === message.conversationId) === message;
  const columns: readonly Column<Found>[] = [
    {
      text: texts.foundIn,
      width: 220,
      cell: (message) => (
        <VisitorLink
          row={message}
          id={isFirst(message) ? rowId(message.conversationId) : undefined}
          seq={message.seq}
        />
      ),
    },
    {
      text: texts.foundText,
      line: 'whole',
      cell: ({ sender, handlerAlias, text }) => (
        <span className={`${styles.said} ${styles.found}`}>
          {sender === 'owner' && <span>{fillText(consoleTexts.authorMark, { name: handlerAlias })}</span>}
          <span dir="auto">
            <Marked parts={snippet(text, searched)} />
          </span>
        </span>
      ),
    },
    { text: texts.desk, width: 136, cell: ({ handlerAlias }) => <DeskName alias={handlerAlias} /> },
    {
      text: texts.foundAt,
      width: 128,
      number: true,
      line: 'corner',
      cell: ({ createdAt }, now) => (
        <time dateTime={new Date(createdAt).toISOString()}>{dateAndTime(createdAt, now)}</time>
      ),
    },
  ];
  return (
    <ListTable label={texts.searchMessages} columns={columns}>
      {messages.map((message) => (
        <ListRow
          key={`${message.conversationId} ${message.seq}`}
          columns={columns}
          row={message}
          now={minute}
          open={message.conversationId === openId}
        />
      ))}
    </ListTable>
  );
}
