import type { Answer, CallName } from '@settee/protocol/calls/http';
import type { Topic } from '@settee/protocol/model/management';
import { keepPreviousData, type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { RequestParts } from '../net/api.ts';
import { readOrThrow } from '../staff/readOrThrow.ts';
import { useAdmin } from './context.ts';
import { REFETCH_INTERVAL_MS } from './refetch.ts';

/** Reads data of the admin area, and again when its topic changes. */
export function useAdminQuery<N extends CallName>(
  topic: Topic,
  name: N,
  parts: RequestParts<N>,
  { enabled = true } = {},
): UseQueryResult<Answer<N>, Error> {
  const { session } = useAdmin();
  return useQuery({
    queryKey: [topic, name, parts],
    queryFn: () => readOrThrow(session.api, name, parts),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
    enabled,
  });
}

/** Reads a list page by page. All loaded pages are read again when the topic changes. */
export function useAdminPages<N extends CallName>(
  topic: Topic,
  name: N,
  query: Record<string, string>,
  { cursor, next }: { cursor: string; next: (page: Answer<N>) => string | number | null },
) {
  const { session } = useAdmin();
  return useInfiniteQuery({
    queryKey: [topic, name, query],
    initialPageParam: null as string | number | null,
    queryFn: ({ pageParam }) =>
      readOrThrow(session.api, name, {
        query: { ...query, ...(pageParam !== null && { [cursor]: pageParam.toString() }) },
      } as RequestParts<N>),
    getNextPageParam: next,
    placeholderData: keepPreviousData,
    // More pages take longer to read.
    refetchInterval: ({ state: { data } }) => REFETCH_INTERVAL_MS * (data?.pages.length ?? 1),
  });
}
