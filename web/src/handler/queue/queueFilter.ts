import type { QueueRow } from '@settee/protocol/model/conversation';
import type { StaffSettings } from '@settee/protocol/model/staffSettings';
import { formatShortDuration, waitingOf } from '../../staff/waiting.ts';

/** The list's filter, in the address as ?show=…. 'All' has no parameter. */
export type QueueFilter = 'all' | 'unread' | 'waiting' | 'snoozed' | 'closed';

const KEY = 'show';
const kept: ReadonlySet<string> = new Set<QueueFilter>(['unread', 'waiting', 'snoozed', 'closed']);

export function filterInSearch(search: string): QueueFilter {
  const value = new URLSearchParams(search).get(KEY) ?? '';
  return kept.has(value) ? (value as QueueFilter) : 'all';
}

export function searchFor(show: QueueFilter): string {
  return show === 'all' ? '' : `?${KEY}=${show}`;
}

export function isUnread(row: QueueRow): boolean {
  return row.unread > 0 || row.markedUnread;
}

export function isSnoozed({ snoozedUntil }: QueueRow, now: number): boolean {
  return snoozedUntil !== null && snoozedUntil > now;
}

export function withoutSnoozed(rows: readonly QueueRow[], now: number): readonly QueueRow[] {
  return rows.some((row) => isSnoozed(row, now)) ? rows.filter((row) => !isSnoozed(row, now)) : rows;
}

export function countUnread(rows: readonly QueueRow[], now = Date.now()): number {
  return withoutSnoozed(rows, now).filter(isUnread).length;
}

type WaitingSummary = { count: number; longest: string; long: boolean };

/** A summary of long waits, or null. */
export function waitingSummary(
  rows: readonly QueueRow[],
  now: number,
  settings?: StaffSettings,
): WaitingSummary | null {
  const waiting = waitingRows(rows, now, settings);
  const [first] = waiting;
  if (first?.waitingSince == null) return null;
  return {
    count: waiting.length,
    longest: formatShortDuration(now - first.waitingSince),
    long: waitingOf(first, now, settings)?.long ?? false,
  };
}

/** Longest wait first. */
function waitingRows(rows: readonly QueueRow[], now: number, settings?: StaffSettings): QueueRow[] {
  return withoutSnoozed(rows, now)
    .filter((row) => waitingOf(row, now, settings) !== null)
    .toSorted((a, b) => (a.waitingSince ?? 0) - (b.waitingSince ?? 0));
}

/** The unanswered chat with the longest wait. */
export function nextWaiting(rows: readonly QueueRow[], now: number, exceptId?: string): string | undefined {
  return withoutSnoozed(rows, now)
    .filter((row) => row.waitingSince !== null && row.conversationId !== exceptId)
    .toSorted((a, b) => (a.waitingSince ?? 0) - (b.waitingSince ?? 0))[0]?.conversationId;
}

/** The open conversation stays visible until another one is opened. */
export function rowsToShow(
  rows: readonly QueueRow[],
  {
    show,
    now,
    openId,
    settings,
  }: { show: QueueFilter; now: number; openId: string | undefined; settings?: StaffSettings },
): readonly QueueRow[] {
  const isOpen = (row: QueueRow) => row.conversationId === openId;
  switch (show) {
    case 'unread':
      return rows.filter((row) => (isUnread(row) && !isSnoozed(row, now)) || isOpen(row));
    case 'waiting': {
      const waiting = waitingRows(rows, now, settings);
      const open = rows.find(isOpen);
      return open && !waiting.includes(open) ? [open, ...waiting] : waiting;
    }
    case 'snoozed':
      return rows
        .filter((row) => isSnoozed(row, now))
        .toSorted((a, b) => (a.snoozedUntil ?? 0) - (b.snoozedUntil ?? 0));
    default:
      return rows.some((row) => isSnoozed(row, now) && !isOpen(row))
        ? rows.filter((row) => !isSnoozed(row, now) || isOpen(row))
        : rows;
  }
}
