import type { AdminRow, ConversationCounts } from '@settee/protocol/calls/conversationAdminCalls';
import type { DeletedRow } from '@settee/protocol/model/conversation';
import { REFETCH_INTERVAL_MS } from '../refetch.ts';

/** So many are read again for every message that comes; it moves its row to the first. */
export const FRESH_PAGES = 3;

/** A little less than the interval: its own reading, whose first pages may be quicker than the last time, is never too early. */
const KEPT_AT_MOST_MS = REFETCH_INTERVAL_MS * 0.9;

export type PageParam = { before: string | null; n: number };
export type ListPage = {
  rows: readonly AdminRow[];
  next: string | null;
  n: number;
  counts?: ConversationCounts | undefined;
  /** What is left of deleted ones, of the same time. */
  deleted?: readonly DeletedRow[] | undefined;
};

export type PageCache = {
  /** More changed than messages alone tell. */
  invalidate(): void;
  /** What stands for this page without a call; undefined when it has to be read. */
  kept(page: PageParam, known: readonly ListPage[]): ListPage | undefined;
};

/**
 * A long list is not read from end to end for each message: what was loaded beyond the first pages stays as it is, until
 * more changed or it is old.
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
      // The first of them holds all that follows the fresh ones, also what a fresh page pushed out at its end.
      const rows =
        n === FRESH_PAGES ? uniqueRows(known.flatMap((page) => page.rows)).filter(follows(before)) : [];
      return { rows, next, n, deleted: known[n]?.deleted };
    },
  };
}

/** By the time in the cursor: what is of the same moment may stand in both, and is shown once. */
function follows(before: string): (row: AdminRow) => boolean {
  const at = Number.parseInt(before, 10);
  return ({ lastMessageAt, closedAt }) => (closedAt ?? lastMessageAt) <= at;
}

/** What moved between two pages stands in both; the first is the newer. */
export function uniqueRows(rows: readonly AdminRow[]): AdminRow[] {
  const seen = new Set<string>();
  return rows.filter(({ conversationId }) => !seen.has(conversationId) && seen.add(conversationId));
}
