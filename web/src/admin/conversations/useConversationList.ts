import type { AdminRow, ConversationCounts } from '@settee/protocol/calls/conversationAdminCalls';
import type { DeletedRow } from '@settee/protocol/model/conversation';
import { type InfiniteData, keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useAdmin } from '../context.ts';
import { moreOf } from '../parts/paging.ts';
import { useScope } from '../profiles/useProfiles.ts';
import { invalidateAfterInFlight, REFETCH_INTERVAL_MS } from '../refetch.ts';
import { type Filters, queryOf } from './FilterBar.tsx';

/** Minimum time between refetches for messages. */
const FOR_MESSAGES_EVERY_MS = 2_000;
const KEY = ['conversations', 'list'];

/** The conversations of all desks, kept up to date. */
export function useConversationList(filters: Filters) {
  const { session } = useAdmin();
  const query = { ...queryOf(filters), ...useScope() };
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
    /** Undefined until the first page has loaded. */
    rows,
    /** Deleted conversations in the loaded pages. */
    deleted: useMemo(() => pages?.flatMap((page) => page.deleted ?? []) ?? [], [pages]),
    /** The rows belong to the previous filters. */
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

/** Pages that are read again for every message. A message moves its row to the first page. */
const FRESH_PAGES = 3;

/** A little less than the interval, so that the interval's own refetch never finds the cache fresh. */
const KEPT_AT_MOST_MS = REFETCH_INTERVAL_MS * 0.9;

type PageParam = { before: string | null; n: number };
type ListPage = {
  rows: readonly AdminRow[];
  next: string | null;
  n: number;
  counts?: ConversationCounts | undefined;
  /** Deleted conversations of the same period. */
  deleted?: readonly DeletedRow[] | undefined;
};

type PageCache = {
  /** Forces the next refetch to read all pages. */
  invalidate(): void;
  /** The cached page, or undefined if it must be read. */
  kept(page: PageParam, known: readonly ListPage[]): ListPage | undefined;
};

/**
 * Keeps pages of a long list that new messages do not change. They are read again when more changed or when
 * they are old.
 */
export function pageCache(now: () => number = Date.now): PageCache {
  let wanted = true;
  let reading = true;
  let readAt = now();
  return {
    invalidate() {
      wanted = true;
    },
    kept({ before, n }, known) {
      if (n < FRESH_PAGES || n >= known.length || before === null) return undefined;
      if (n === FRESH_PAGES) {
        reading = wanted || now() - readAt >= KEPT_AT_MOST_MS;
        wanted = false;
        if (reading) readAt = now();
      }
      if (reading) return undefined;
      const next = known.at(-1)?.next ?? null;
      // The first cached page holds all rows after the fresh pages, including rows that moved down.
      const rows =
        n === FRESH_PAGES ? uniqueRows(known.flatMap((page) => page.rows)).filter(follows(before)) : [];
      return { rows, next, n, deleted: known[n]?.deleted };
    },
  };
}

/** Compares by the cursor's time. Rows of the same time may be on both pages and are shown once. */
function follows(before: string): (row: AdminRow) => boolean {
  const at = Number.parseInt(before, 10);
  return ({ lastMessageAt, closedAt }) => (closedAt ?? lastMessageAt) <= at;
}

/** A row that moved between pages is on both. The first one is newer. */
function uniqueRows(rows: readonly AdminRow[]): AdminRow[] {
  const seen = new Set<string>();
  return rows.filter(({ conversationId }) => !seen.has(conversationId) && seen.add(conversationId));
}
