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
const SCOPES = ['desk', 'profile'];
const kept: ReadonlySet<string> = new Set<QueueFilter>(['unread', 'waiting', 'snoozed', 'closed']);

export function filterInSearch(search: string): QueueFilter {
  const value = new URLSearchParams(search).get(KEY) ?? '';
  return kept.has(value) ? (value as QueueFilter) : 'all';
}

/** To what the list is restricted: desk=… or profile=…. Empty for all desks. */
export function scopeInSearch(search: string): string {
  const query = new URLSearchParams(search);
  const name = SCOPES.find((each) => query.has(each));
  return name === undefined ? '' : `${name}=${query.get(name)}`;
}

export function searchFor(show: QueueFilter, scope = ''): string {
  const query = new URLSearchParams([
    ...(show === 'all' ? [] : [[KEY, show]]),
    ...new URLSearchParams(scope),
  ]);
  return query.size === 0 ? '' : `?${query}`;
}

/** Another list has another order and another selection. */
export const listKey = (show: QueueFilter, scope: string): string => `${show} ${scope}`;

/** Each wait has the times that count at its desk. */
export type Counts = Omit<QueueCounts, 'longest'> & {
  longest: readonly (QueueCounts['longest'][number] & { settings: StaffSettings })[];
};

/** Figures about the whole queue of a desk. */
export function countsOf(
  { queue, part }: KnownQueue,
  now: number,
  settings: StaffSettings = defaultSettings,
): Counts {
  const { longest, ...counts } = part?.counts ?? countQueue(queue ?? [], now, settings);
  return { ...counts, longest: longest.map((each) => ({ ...each, settings })) };
}

type WaitingSummary = { id: string; count: number; longest: string; long: boolean };

/** A summary of long waits, or null. */
export function waitingSummary(
  { waiting, longest }: Pick<Counts, 'waiting' | 'longest'>,
  now: number,
): WaitingSummary | null {
  // Where more patience is usual, somebody who has written earlier may not count as waiting.
  const first = longest.find((each) => waitingOf(each, now, each.settings)) ?? longest[0];
  if (waiting === 0 || first === undefined) return null;
  return {
    id: first.conversationId,
    count: waiting,
    longest: formatShortDuration(now - first.waitingSince),
    long: waitingOf(first, now, first.settings)?.long ?? false,
  };
}

/** Longest wait first. */
function waitingRows(rows: readonly QueueRow[], now: number, settingsAt?: SettingsAt): QueueRow[] {
  return rows
    .filter((row) => !isSnoozed(row, now) && waitingOf(row, now, settingsAt?.(row.alias)) !== null)
    .toSorted((a, b) => (a.waitingSince ?? 0) - (b.waitingSince ?? 0));
}

/** The unanswered chat with the longest wait. */
export function nextWaiting(
  { longest }: Pick<QueueCounts, 'longest'> | Counts,
  exceptId?: string,
): string | undefined {
  return longest.find(({ conversationId }) => conversationId !== exceptId)?.conversationId;
}

/** The times that count as waiting at a desk. */
export type SettingsAt = (alias: string | undefined) => StaffSettings;

export type Shown = {
  show: QueueShow;
  now: number;
  openId: string | undefined;
  settingsAt?: SettingsAt;
  /** The end of the list, if more of it must be read. */
  to?: QueueKey | null | undefined;
};

/** The open conversation stays visible until another one is opened. */
export function rowsToShow(
  known: readonly QueueRow[],
  { show, now, openId, settingsAt, to }: Shown,
): readonly QueueRow[] {
  const isOpen = (row: QueueRow) => row.conversationId === openId;
  const rows = to ? known.filter((row) => isWithin(show, row, to)) : known;
  switch (show) {
    case 'unread':
      return rows.filter((row) => (isUnread(row) && !isSnoozed(row, now)) || isOpen(row));
    case 'waiting': {
      const waiting = waitingRows(rows, now, settingsAt);
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
