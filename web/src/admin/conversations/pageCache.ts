import type { AdminRow, ConversationCounts } from '@settee/protocol/calls/conversationAdminCalls';
import type { DeletedRow } from '@settee/protocol/model/conversation';
import { REFETCH_INTERVAL_MS } from '../refetch.ts';

/** Pages that are read again for every message. A message moves its row to the first page. */
const FRESH_PAGES = 3;

/** A little less than the interval, so that the interval's own refetch never finds the cache fresh. */
const KEPT_AT_MOST_MS = REFETCH_INTERVAL_MS * 0.9;

export type PageParam = { before: string | null; n: number };
export type ListPage = {
  rows: readonly AdminRow[];
  next: string | null;
  n: number;
  counts?: ConversationCounts | undefined;
  /** Deleted conversations of the same period. */
  deleted?: readonly DeletedRow[] | undefined;
};

export type PageCache = {
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
export function uniqueRows(rows: readonly AdminRow[]): AdminRow[] {
  const seen = new Set<string>();
  return rows.filter(({ conversationId }) => !seen.has(conversationId) && seen.add(conversationId));
}
