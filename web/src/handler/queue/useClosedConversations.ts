import type { Answer } from '@settee/protocol/calls/http';
import type { ClosedRow, DeletedRow, QueueRow } from '@settee/protocol/model/conversation';
import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import type { Result } from '../../net/api.ts';
import { readOrThrow } from '../../staff/readOrThrow.ts';
import { useConsole, useSignedIn } from '../context.ts';

type Page = Answer<'readClosed'>;
const queryKey = ['closed'];
const nothing: readonly QueueRow[] = [];

type Closed = {
  /** Undefined until the first page has loaded. */
  rows: readonly ClosedRow[] | undefined;
  deleted: readonly DeletedRow[];
  failed: boolean;
  tryAgain: () => void;
  /** Undefined at the end, or while loading. */
  showMore: (() => void) | undefined;
  reopen: (row: Pick<ClosedRow, 'conversationId' | 'status'>) => Promise<Result<'setStatus'>>;
};

/** Closed and blocked conversations, as far as loaded. */
export function useClosedConversations(): Closed {
  const { session, console } = useSignedIn();
  const queries = useQueryClient();
  const { queue, part, deskReads } = useConsole();
  const open = queue ?? nothing;
  const read = useInfiniteQuery({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      readOrThrow(session.api, 'readClosed', pageParam === null ? {} : { query: { before: pageParam } }),
    getNextPageParam: (last: Page) => last.next,
  });

  const known = useMemo(
    () => ({ ids: open.map(({ conversationId }) => conversationId), deskReads }),
    [open, deskReads],
  );
  const before = useRef(known);
  useEffect(() => {
    if (mayHaveClosed(before.current, known)) void queries.invalidateQueries({ queryKey });
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
      void queries.invalidateQueries({ queryKey });
  });
  useEffect(() => console.onRemovedFromQueue(onRemovedFromQueue), [console]);

  return {
    rows,
    deleted: useMemo(() => read.data?.pages.flatMap((page) => page.deleted) ?? [], [read.data]),
    failed: read.isError,
    tryAgain: () => void (read.isFetchNextPageError ? read.fetchNextPage() : read.refetch()),
    showMore: read.hasNextPage && !read.isFetching ? () => void read.fetchNextPage() : undefined,
    async reopen({ conversationId, status }) {
      const answer = await session.api('setStatus', {
        params: { id: conversationId },
        body: { status: 'open', from: status },
      });
      // A colleague's decision may be the reason: read the list again.
      if (!answer.ok) void queries.invalidateQueries({ queryKey });
      else
        queries.setQueryData<InfiniteData<Page, string | null>>(
          queryKey,
          (data) => data && { ...data, pages: data.pages.map((page) => without(page, conversationId)) },
        );
      return answer;
    },
  };
}

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
