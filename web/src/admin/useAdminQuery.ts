import type { Answer, CallName } from '@settee/protocol/calls/http';
import { keepPreviousData, type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { RequestParts } from '../net/api.ts';
import { readOrThrow } from '../staff/readOrThrow.ts';
import { useAdmin } from './context.ts';
import { type Followed, REFETCH_INTERVAL_MS } from './refetch.ts';

/** Reads data of the admin area, and again when its topic changes. */
export function useAdminQuery<N extends CallName>(
  topic: Followed,
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

type PagesOptions<N extends CallName> = {
  cursor: string;
  next: (page: Answer<N>) => string | number | null;
  params?: RequestParts<N>['params'];
  refetchInterval?: number;
  enabled?: boolean;
};

/** Reads a list page by page. All loaded pages are read again when the topic changes. */
export function useAdminPages<N extends CallName>(
  topic: Followed,
  name: N,
  query: Record<string, string>,
  { cursor, next, params, ...rest }: PagesOptions<N>,
) {
  const { session } = useAdmin();
  return useInfiniteQuery({
    queryKey: [topic, name, query, params],
    initialPageParam: null as string | number | null,
    queryFn: ({ pageParam }) =>
      readOrThrow(session.api, name, {
        params,
        query: { ...query, ...(pageParam !== null && { [cursor]: pageParam.toString() }) },
      } as unknown as RequestParts<N>),
    getNextPageParam: next,
    placeholderData: keepPreviousData,
    // More pages take longer to read.
    refetchInterval: ({ state: { data } }) => REFETCH_INTERVAL_MS * (data?.pages.length ?? 1),
    ...rest,
  });
}
