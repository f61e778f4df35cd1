import { FIND_MIN } from '@settee/protocol/conversationAdminCalls';

/** Which conversations are shown: part of the address, so that a link leads to the same list. */
export type Filters = { show: string; alias: string; q: string };

export const SHOWS = ['', 'open', 'waiting', 'closed', 'blocked'] as const;

export function filtersIn(search: URLSearchParams): Filters {
  const show = search.get('show') ?? '';
  return {
    show: SHOWS.find((known) => known === show) ?? '',
    alias: search.get('alias') ?? '',
    q: search.get('q') ?? '',
  };
}

/** For the address: what is not chosen is not there. */
export function searchOf(filters: Filters): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}

/** For the call: a word that is still too short asks for nothing. */
export function queryOf({ q, ...rest }: Filters): Record<string, string> {
  const said = q.trim();
  return searchOf({ ...rest, q: said.length < FIND_MIN ? '' : said });
}

export function isFiltered(filters: Filters): boolean {
  return Object.keys(queryOf(filters)).length > 0;
}
