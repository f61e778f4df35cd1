import type { Answer } from '@settee/protocol/calls/http';
import type { ClosedRow, DeletedRow, QueueRow } from '@settee/protocol/model/conversation';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { Result } from '../../net/api.ts';
import { DeletedList } from '../../staff/DeletedList.tsx';
import { ListFailed, ListLoading, ListState } from '../../staff/ListState.tsx';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { useChange } from '../../staff/useChange.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SetteeDrawing } from '../../ui/SetteeDrawing.tsx';
import { useConsole, usePublishedOrder, useSignedIn } from '../context.ts';
import styles from './ClosedQueue.module.css';
import { type Scope, useRowDesk } from './ownDesks.ts';
import { QueueList } from './QueueList.tsx';
import { QueueRowLink } from './QueueRowLink.tsx';
import { searchFor } from './queueFilter.ts';
import { useRowTabIndex } from './useRovingFocus.ts';

const none: readonly string[] = [];

type ClosedQueueProps = { scope: Scope; now: number; openId: string | undefined };

export function ClosedQueue({ scope, now, openId }: ClosedQueueProps) {
  const { rows, deleted, failed, tryAgain, hasMore, showMore, reopen } = useClosedConversations(scope.search);
  const deskOf = useRowDesk(scope);
  const search = searchFor('closed', scope.search);
  const { error, run } = useChange();
  usePublishedOrder(useMemo(() => rows?.map(({ conversationId }) => conversationId) ?? none, [rows]));

  if (!rows || (rows.length === 0 && hasMore)) {
    return (
      <>
        <DeletedList rows={deleted} now={now} />
        {failed ? (
          <ListFailed text={consoleTexts.couldNotLoadClosed} onTryAgain={tryAgain} />
        ) : (
          <ListLoading text={consoleTexts.closedLoading} />
        )}
      </>
    );
  }
  if (rows.length === 0) {
    return (
      <>
        <DeletedList rows={deleted} now={now} />
        <ListState>
          <SetteeDrawing seats="empty" width={160} />
          <p>{consoleTexts.noneClosed}</p>
        </ListState>
      </>
    );
  }
  return (
    <>
      {error !== null && (
        <Notice tone="danger" icon="alert">
          {error}
        </Notice>
      )}
      <DeletedList rows={deleted} now={now} />
      <QueueList
        rows={rows}
        openId={openId}
        desks={rows.slice(0, 1).some((row) => deskOf(row).desk)}
        foot={
          failed ? (
            <ListFailed text={consoleTexts.couldNotLoadClosed} onTryAgain={tryAgain} />
          ) : (
            showMore && (
              <Button look="outline" className={styles.more} onClick={showMore}>
                {consoleTexts.more}
              </Button>
            )
          )
        }
      >
        {(row) => (
          <div key={row.conversationId} className={styles.row}>
            <QueueRowLink
              row={row}
              now={now}
              open={row.conversationId === openId}
              search={search}
              {...deskOf(row)}
            />
            <TakeBack row={row} onClick={() => void run(() => reopen(row), { of: row.conversationId })} />
          </div>
        )}
      </QueueList>
    </>
  );
}

function TakeBack({ row, onClick }: { row: ClosedRow; onClick: () => void }) {
  return (
    <Button
      look="outline"
      size="sm"
      className={styles.reopen}
      tabIndex={useRowTabIndex(row.conversationId)}
      onClick={onClick}
    >
      {row.status === 'blocked' ? consoleTexts.unblock : consoleTexts.reopen}
    </Button>
  );
}

type Page = Answer<'readClosed'>;
const nothing: readonly QueueRow[] = [];

type Closed = {
  /** Undefined until the first page has loaded. */
  rows: readonly ClosedRow[] | undefined;
  deleted: readonly DeletedRow[];
  failed: boolean;
  tryAgain: () => void;
  hasMore: boolean;
  /** Undefined at the end, or while loading. */
  showMore: (() => void) | undefined;
  reopen: (row: Pick<ClosedRow, 'conversationId' | 'status'>) => Promise<Result<'setStatus'>>;
};

/** Of any desk. */
const KEY = 'closed';

/** Closed and blocked conversations, as far as loaded: of one desk, of a profile, or of all if it is empty. */
function useClosedConversations(scope: string): Closed {
  const { session, console } = useSignedIn();
  const queries = useQueryClient();
  const { queue, part, deskReads } = useConsole();
  const open = queue ?? nothing;
  const read = useInfiniteQuery({
    queryKey: [KEY, scope],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      readOrThrow(session.api, 'readClosed', {
        query: { ...(pageParam !== null && { before: pageParam }), ...queryOf(scope) },
      }),
    getNextPageParam: (last: Page) => last.next,
  });

  const known = useMemo(
    () => ({ ids: open.map(({ conversationId }) => conversationId), deskReads }),
    [open, deskReads],
  );
  const before = useRef(known);
  useEffect(() => {
    if (mayHaveClosed(before.current, known)) void queries.invalidateQueries({ queryKey: [KEY] });
    before.current = known;
  }, [known, queries]);

  const rows = useMemo(() => {
    if (!read.data) return undefined;
    const again = new Set(open.map(({ conversationId }) => conversationId));
    // A conversation closed between two reads is on both pages.
    const once = new Map(
      read.data.pages.flatMap((page) => page.rows).map((row) => [row.conversationId, row] as const),
    );
    return [...once.values()].filter(({ conversationId }) => !again.has(conversationId));
  }, [read.data, open]);

  // The open queue does not report deletions by others, nor that a row which was not read yet has left.
  const onRemovedFromQueue = useEffectEvent((ids: readonly string[]) => {
    if ((part && ids.length > 0) || rows?.some((row) => ids.includes(row.conversationId)))
      void queries.invalidateQueries({ queryKey: [KEY] });
  });
  useEffect(() => console.onRemovedFromQueue(onRemovedFromQueue), [console]);

  const { hasNextPage, isFetching, fetchNextPage } = read;
  // A page may have only chats that were reopened.
  const isEmpty = rows?.length === 0 && hasNextPage && !isFetching && !read.isError;
  useEffect(() => {
    if (isEmpty) void fetchNextPage();
  }, [isEmpty, fetchNextPage]);

  return {
    rows,
    deleted: useMemo(() => read.data?.pages.flatMap((page) => page.deleted) ?? [], [read.data]),
    failed: read.isError,
    tryAgain: () => void (read.isFetchNextPageError ? read.fetchNextPage() : read.refetch()),
    hasMore: hasNextPage,
    showMore: hasNextPage && !isFetching ? () => void fetchNextPage() : undefined,
    async reopen({ conversationId, status }) {
      const answer = await session.api('setStatus', {
        params: { id: conversationId },
        body: { status: 'open', from: status },
      });
      // A colleague's decision may be the reason: read the list again.
      if (!answer.ok) void queries.invalidateQueries({ queryKey: [KEY] });
      else
        queries.setQueriesData<InfiniteData<Page, string | null>>(
          { queryKey: [KEY] },
          (data) => data && { ...data, pages: data.pages.map((page) => without(page, conversationId)) },
        );
      return answer;
    },
  };
}

/** The call names a desk by its alias. */
const queryOf = (scope: string): { alias?: string; profile?: string } =>
  Object.fromEntries(new URLSearchParams(scope.replace('desk=', 'alias=')));

function without(page: Page, conversationId: string): Page {
  return { ...page, rows: page.rows.filter((row) => row.conversationId !== conversationId) };
}

/** The open chats, and how often they were read as a whole. */
type OpenKnown = { ids: readonly string[]; deskReads: number };

/** Whether closed chats may have been added. Nothing reports closing, but a closed chat leaves the queue. */
export function mayHaveClosed(before: OpenKnown, now: OpenKnown): boolean {
  if (before.deskReads > 0 && now.deskReads !== before.deskReads) return true;
  const still = new Set(now.ids);
  return before.ids.some((id) => !still.has(id));
}
