import type { QueueRow } from '@settee/protocol/model/conversation';
import {
  countQueue,
  isSnoozed,
  isUnread,
  isWithin,
  type QueueCounts,
  type QueueKey,
  type QueueShow,
} from '@settee/protocol/model/queue';
import { defaultSettings, type StaffSettings } from '@settee/protocol/model/staffSettings';
import { formatShortDuration, waitingOf } from '../../staff/waiting.ts';
import type { KnownQueue } from './queuePages.ts';

/** The list's filter, in the address as ?show=…. 'All' has no parameter. */
export type QueueFilter = QueueShow | 'closed';

const KEY = 'show';
const DESK = 'desk';
const kept: ReadonlySet<string> = new Set<QueueFilter>(['unread', 'waiting', 'snoozed', 'closed']);

export function filterInSearch(search: string): QueueFilter {
  const value = new URLSearchParams(search).get(KEY) ?? '';
  return kept.has(value) ? (value as QueueFilter) : 'all';
}

/** The list's only desk, as ?desk=…. Empty for all. */
export function deskInSearch(search: string): string {
  return new URLSearchParams(search).get(DESK) ?? '';
}

export function searchFor(show: QueueFilter, desk = ''): string {
  const query = new URLSearchParams({
    ...(show !== 'all' && { [KEY]: show }),
    ...(desk && { [DESK]: desk }),
  });
  return query.size === 0 ? '' : `?${query}`;
}

/** Another list has another order and another selection. */
export const listKey = (show: QueueFilter, desk: string): string => `${show} ${desk}`;

/** Figures about the whole queue of a desk. */
export function countsOf(
  { queue, part }: KnownQueue,
  now: number,
  settings: StaffSettings = defaultSettings,
): QueueCounts {
  return part?.counts ?? countQueue(queue ?? [], now, settings);
}

type WaitingSummary = { id: string; count: number; longest: string; long: boolean };

/** A summary of long waits, or null. */
export function waitingSummary(
  { waiting, longest: [first] }: QueueCounts,
  now: number,
  settings?: StaffSettings,
): WaitingSummary | null {
  if (waiting === 0 || first === undefined) return null;
  return {
    id: first.conversationId,
    count: waiting,
    longest: formatShortDuration(now - first.waitingSince),
    long: waitingOf(first, now, settings)?.long ?? false,
  };
}

/** Longest wait first. */
function waitingRows(rows: readonly QueueRow[], now: number, settings?: StaffSettings): QueueRow[] {
  return rows
    .filter((row) => !isSnoozed(row, now) && waitingOf(row, now, settings) !== null)
    .toSorted((a, b) => (a.waitingSince ?? 0) - (b.waitingSince ?? 0));
}

/** The unanswered chat with the longest wait. */
export function nextWaiting({ longest }: QueueCounts, exceptId?: string): string | undefined {
  return longest.find(({ conversationId }) => conversationId !== exceptId)?.conversationId;
}

export type Shown = {
  show: QueueShow;
  now: number;
  openId: string | undefined;
  settings?: StaffSettings;
  /** The end of the list, if more of it must be read. */
  to?: QueueKey | null | undefined;
};

/** The open conversation stays visible until another one is opened. */
export function rowsToShow(
  known: readonly QueueRow[],
  { show, now, openId, settings, to }: Shown,
): readonly QueueRow[] {
  const isOpen = (row: QueueRow) => row.conversationId === openId;
  const rows = to ? known.filter((row) => isWithin(show, row, to)) : known;
  switch (show) {
    case 'unread':
      return rows.filter((row) => (isUnread(row) && !isSnoozed(row, now)) || isOpen(row));
    case 'waiting': {
      const waiting = waitingRows(rows, now, settings);
      const open = known.find(isOpen);
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
