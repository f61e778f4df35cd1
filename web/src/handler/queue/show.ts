import type { QueueRow } from '@settee/protocol/conversation';
import type { StaffSettings } from '@settee/protocol/staffSettings';
import { waitingOf } from '../../staff/waiting.ts';

/** Which conversations the list shows. The address keeps it, as ?show=…; all of them need no word. */
export type Show = 'all' | 'unread' | 'waiting' | 'closed';

const KEY = 'show';
const kept: ReadonlySet<string> = new Set<Show>(['unread', 'waiting', 'closed']);

export function showIn(search: string): Show {
  const value = new URLSearchParams(search).get(KEY) ?? '';
  return kept.has(value) ? (value as Show) : 'all';
}

/** The part of an address that says so: what a link needs to stay in the same list. */
export function searchFor(show: Show): string {
  return show === 'all' ? '' : `?${KEY}=${show}`;
}

export function isUnread(row: QueueRow): boolean {
  return row.unread > 0 || row.markedUnread;
}

export function countUnread(rows: readonly QueueRow[]): number {
  return count(rows, isUnread);
}

export function countWaiting(rows: readonly QueueRow[], now: number, settings?: StaffSettings): number {
  return count(rows, (row) => waitingOf(row, now, settings) !== null);
}

/** The open one stays in sight although it has just been read or answered: it leaves when another is opened. */
export function rowsToShow(
  rows: readonly QueueRow[],
  {
    show,
    now,
    openId,
    settings,
  }: { show: Show; now: number; openId: string | undefined; settings?: StaffSettings },
): readonly QueueRow[] {
  if (show === 'unread') return rows.filter((row) => isUnread(row) || row.conversationId === openId);
  if (show === 'waiting') {
    return rows.filter((row) => waitingOf(row, now, settings) !== null || row.conversationId === openId);
  }
  return rows;
}

function count(rows: readonly QueueRow[], counts: (row: QueueRow) => boolean): number {
  return rows.reduce((sum, row) => (counts(row) ? sum + 1 : sum), 0);
}
