import type { UseInfiniteQueryResult } from '@tanstack/react-query';

type Paged = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>;

export type More = { load: () => void; busy: boolean; failed: boolean };

/** How a list's foot loads the next page; undefined at the end. */
export function moreOf(query: Paged): More | undefined {
  if (!query.hasNextPage) return undefined;
  return {
    load: () => void query.fetchNextPage(),
    busy: query.isFetchingNextPage,
    failed: query.isFetchNextPageError,
  };
}
