import type { AdminRow, ConversationCounts } from '@settee/protocol/calls/conversationAdminCalls';
import type { DeletedRow } from '@settee/protocol/model/conversation';
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useAdmin } from '../context.ts';
import { type More, moreOf } from '../parts/paging.ts';
import { invalidateAfterInFlight, REFETCH_INTERVAL_MS } from '../refetch.ts';
import { type Filters, queryOf } from './filters.ts';
import { type ListPage, type PageCache, type PageParam, pageCache, uniqueRows } from './pageCache.ts';

/** Minimum time between refetches for messages. */
const FOR_MESSAGES_EVERY_MS = 2_000;
const KEY = ['conversations', 'list'];

type ConversationList = {
  /** Undefined until the first page has loaded. */
  rows: readonly AdminRow[] | undefined;
  /** Deleted conversations in the loaded pages. */
  deleted: readonly DeletedRow[];
  /** The rows belong to the previous filters. */
  stale: boolean;
  failed: boolean;
  tryAgain: () => void;
  counts: ConversationCounts | undefined;
  /** Undefined at the end of the list. */
  more: More | undefined;
};

/** The conversations of all desks, kept up to date. */
export function useConversationList(filters: Filters): ConversationList {
  const { session } = useAdmin();
  const query = queryOf(filters);
  const [cache] = useState(() => pageCache());
  const read = useInfiniteQuery({
    queryKey: [...KEY, query],
    initialPageParam: { before: null, n: 0 } as PageParam,
    queryFn: async ({ pageParam, queryKey, client }): Promise<ListPage> => {
      const known = client.getQueryData<InfiniteData<ListPage>>(queryKey)?.pages ?? [];
      const kept = cache.kept(pageParam, known);
      if (kept) return kept;
      const { before, n } = pageParam;
      const answer = await session.api('listConversations', {
        query: { ...query, ...(before !== null && { before }) },
      });
      if (answer.ok) return { ...answer.answer, n };
      cache.invalidate();
      throw new Error(answer.text);
    },
    getNextPageParam: ({ next, n }): PageParam | null => (next === null ? null : { before: next, n: n + 1 }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  useMessagesAsNews(cache);
  const chosen = JSON.stringify(query);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that was not mounted received no updates
  useEffect(() => cache.invalidate(), [cache, chosen]);

  const pages = read.data?.pages;
  const rows = useMemo(() => pages && uniqueRows(pages.flatMap((page) => page.rows)), [pages]);

  return {
    rows,
    deleted: useMemo(() => pages?.flatMap((page) => page.deleted ?? []) ?? [], [pages]),
    stale: read.isPlaceholderData,
    failed: read.isError && !read.isFetchNextPageError,
    tryAgain: () => void read.refetch(),
    counts: pages?.[0]?.counts,
    more: moreOf(read),
  };
}

/** Messages have their own topic, because they only reorder rows. */
function useMessagesAsNews(cache: PageCache): void {
  const { live } = useAdmin();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = live.line.onFrame((frame) => {
      // Updates were missed before this connection.
      if (frame.type === 'welcome') cache.invalidate();
      if (frame.type !== 'managementChanged') return;
      if (frame.topics.includes('conversations')) cache.invalidate();
      if (!frame.topics.includes('messages')) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void invalidateAfterInFlight(queries, KEY);
      }, FOR_MESSAGES_EVERY_MS);
    });
    return () => {
      off();
      clearTimeout(timer);
    };
  }, [live, queries, cache]);
}
