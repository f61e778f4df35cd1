import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';

type Paged = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>;

export type More = { load: () => void; busy: boolean; failed: boolean };

/** Undefined at the end of the list. */
export function moreOf(query: Paged): More | undefined {
  if (!query.hasNextPage) return undefined;
  return {
    load: () => void query.fetchNextPage(),
    busy: query.isFetchingNextPage,
    failed: query.isFetchNextPageError,
  };
}

/** "1 to 50 of 320", as far as known. */
export function rangeText(shown: number, total: number | string | undefined): string {
  if (total === undefined) return fillText(adminTexts.range, { shown });
  return fillText(adminTexts.rangeOf, { shown, total });
}
