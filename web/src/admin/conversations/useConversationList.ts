import type { AdminRow } from '@settee/protocol/conversationAdminCalls';
import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useAdmin } from '../context.ts';
import { readAgain } from '../readAgain.ts';
import { type Filters, queryOf } from './filters.ts';

/** Messages come all the time: for them the list is read again only so often. */
const FOR_MESSAGES_EVERY_MS = 2_000;
/** What no news was heard of, a block that ended say, is found after this long. */
const ANYWAY_AFTER_MS = 30_000;

const KEY = ['conversations', 'list'];

export type ConversationList = {
  /** Undefined until the first page is there. */
  rows: readonly AdminRow[] | undefined;
  failed: boolean;
  tryAgain: () => void;
  /** Absent when there is no more, or more is on its way. */
  showMore: (() => void) | undefined;
};

/** The conversations of every desk as far as they were asked for, kept up to date. */
export function useConversationList(filters: Filters): ConversationList {
  const { session } = useAdmin();
  const query = queryOf(filters);
  const read = useInfiniteQuery({
    queryKey: [...KEY, query],
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam }) => {
      const answer = await session.api('listConversations', {
        query: { ...query, ...(pageParam !== null && { before: pageParam }) },
      });
      if (!answer.ok) throw new Error(answer.text);
      return answer.answer;
    },
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    refetchInterval: ANYWAY_AFTER_MS,
  });
  useMessagesAsNews();

  const rows = useMemo(() => {
    // What moved between two pages stands in both.
    const once = new Map(
      read.data?.pages.flatMap((page) => page.rows).map((row) => [row.conversationId, row] as const),
    );
    return read.data && [...once.values()];
  }, [read.data]);

  return {
    rows,
    failed: read.isError,
    tryAgain: () => void (read.isFetchNextPageError ? read.fetchNextPage() : read.refetch()),
    showMore: read.hasNextPage && !read.isFetchingNextPage ? () => void read.fetchNextPage() : undefined,
  };
}

/** A message moves its row, and is told under a topic of its own. */
function useMessagesAsNews(): void {
  const { live } = useAdmin();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const off = live.line.onFrame((frame) => {
      if (frame.type !== 'managementChanged' || !frame.topics.includes('messages')) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void readAgain(queries, KEY);
      }, FOR_MESSAGES_EVERY_MS);
    });
    return () => {
      off();
      clearTimeout(timer);
    };
  }, [live, queries]);
}
