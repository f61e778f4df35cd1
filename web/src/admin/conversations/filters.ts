import {
  CONVERSATION_COUNT_MAX,
  type ConversationCounts,
  FIND_MIN,
} from '@settee/protocol/calls/conversationAdminCalls';
import { formatNumber } from '@settee/protocol/texts/fillText';

const SHOWS = ['', 'open', 'waiting', 'closed', 'blocked'] as const;

/** Which conversations are shown. Part of the address. */
export type Filters = {
  show: (typeof SHOWS)[number];
  alias: string;
  q: string;
  /** Search in names and labels, or in messages. */
  in: '' | 'messages';
};

export function filtersIn(search: URLSearchParams): Filters {
  const show = search.get('show') ?? '';
  return {
    show: SHOWS.find((known) => known === show) ?? '',
    alias: search.get('alias') ?? '',
    q: search.get('q') ?? '',
    in: search.get('in') === 'messages' ? 'messages' : '',
  };
}

/** Query parameters without empty values. */
export function searchOf(filters: Partial<Filters>): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
}

/** Parameters for the list's call. A search text that is too short is left out. */
export function queryOf({ q, show, alias }: Filters): Record<string, string> {
  const text = q.trim();
  return searchOf({ show, alias, q: text.length < FIND_MIN ? '' : text });
}

export function isFiltered(filters: Filters): boolean {
  return Object.keys(queryOf(filters)).length > 0;
}

/** 'All' is open, closed and blocked. */
export function countText(kind: Filters['show'], counts: ConversationCounts | undefined): string | undefined {
  if (!counts) return undefined;
  const { open, closed, blocked } = counts;
  const parts = kind === '' ? [open, closed, blocked] : [counts[kind]];
  const capped = parts.some((count) => count >= CONVERSATION_COUNT_MAX);
  const count = parts.reduce((sum, part) => sum + part, 0);
  return capped ? `${formatNumber(CONVERSATION_COUNT_MAX - 1)}+` : formatNumber(count);
}
