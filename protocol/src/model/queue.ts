import * as v from 'valibot';
import type { QueueRow } from './conversation.ts';
import { Time, Uuid } from './ids.ts';
import type { StaffSettings } from './staffSettings.ts';

/** Rows of the first answer, and of each further page. */
export const QUEUE_PAGE = 200;
const QUEUE_PAGE_MIN = 20;

/** The same for each desk of a console that watches this many. */
export function queuePageSize(desks: number, page = QUEUE_PAGE): number {
  return desks < 2 ? page : Math.max(QUEUE_PAGE_MIN, Math.floor(page / desks));
}

/**
 * The lists of the queue. The passing of time moves no row into a list or out of it, so a console must still remove
 * snoozed rows, and visitors who wait for a short time.
 */
export const QueueShow = v.picklist(['all', 'unread', 'waiting', 'snoozed']);
export type QueueShow = v.InferOutput<typeof QueueShow>;

/** The position of a row in a list: the time that the list is sorted by, and the conversation. */
export const QueueKey = v.strictObject({ at: Time, id: Uuid });
export type QueueKey = v.InferOutput<typeof QueueKey>;

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Figures about the whole queue, for a console that has a part of it. All but `open` and `snoozed` omit snoozed rows. */
export const QueueCounts = v.object({
  open: Count,
  snoozed: Count,
  unread: Count,
  waiting: Count,
  /** The two unanswered conversations with the longest wait: when one is closed, the other is next. */
  longest: v.array(v.object({ conversationId: Uuid, waitingSince: Time })),
});
export type QueueCounts = v.InferOutput<typeof QueueCounts>;

type Counted = Pick<QueueRow, 'conversationId' | 'unread' | 'markedUnread' | 'waitingSince' | 'snoozedUntil'>;

export function isUnread({ unread, markedUnread }: Counted): boolean {
  return unread > 0 || markedUnread;
}

export function isSnoozed({ snoozedUntil }: Counted, now: number): boolean {
  return snoozedUntil !== null && snoozedUntil > now;
}

export function countQueue(
  rows: readonly Counted[],
  now: number,
  { waitingMinutes }: Pick<StaffSettings, 'waitingMinutes'>,
): QueueCounts {
  const listed = rows.filter((row) => !isSnoozed(row, now));
  const unanswered = listed.flatMap(({ conversationId, waitingSince }) =>
    waitingSince === null ? [] : [{ conversationId, waitingSince }],
  );
  const waitingFrom = now - waitingMinutes * 60_000;
  return {
    open: rows.length,
    snoozed: rows.length - listed.length,
    unread: listed.filter(isUnread).length,
    waiting: unanswered.filter(({ waitingSince }) => waitingSince <= waitingFrom).length,
    longest: unanswered.toSorted((a, b) => a.waitingSince - b.waitingSince).slice(0, 2),
  };
}

/** Null if the row is not in the list. */
export function queueKey(show: QueueShow, row: QueueRow): QueueKey | null {
  const at = {
    all: row.lastMessageAt,
    unread: isUnread(row) ? row.lastMessageAt : null,
    waiting: row.waitingSince,
    snoozed: row.snoozedUntil,
  }[show];
  return at === null ? null : { at, id: row.conversationId };
}

/** Newest message first, longest wait first, or first to return from its snooze. */
export function compareQueueKeys(show: QueueShow, a: QueueKey, b: QueueKey): number {
  if (a.at !== b.at) return show === 'waiting' || show === 'snoozed' ? a.at - b.at : b.at - a.at;
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}

/** The order of the whole queue. */
export function newestFirst(a: QueueRow, b: QueueRow): number {
  return compareQueueKeys('all', keyByTime(a), keyByTime(b));
}

function keyByTime({ lastMessageAt, conversationId }: QueueRow): QueueKey {
  return { at: lastMessageAt, id: conversationId };
}

/** Whether a row is not behind this position. A read conversation counts as if it were unread. */
export function isWithin(show: QueueShow, row: QueueRow, to: QueueKey): boolean {
  const key = show === 'unread' ? keyByTime(row) : queueKey(show, row);
  return key !== null && compareQueueKeys(show, key, to) <= 0;
}

/** The next rows of a list, in its order. */
export function queuePage(
  all: Iterable<QueueRow>,
  show: QueueShow,
  after?: QueueKey,
  size = QUEUE_PAGE,
): { rows: QueueRow[]; more: boolean } {
  const found: { row: QueueRow; key: QueueKey }[] = [];
  for (const row of all) {
    const key = queueKey(show, row);
    if (key !== null && (after === undefined || compareQueueKeys(show, key, after) > 0))
      found.push({ row, key });
  }
  found.sort((a, b) => compareQueueKeys(show, a.key, b.key));
  return { rows: found.slice(0, size).map(({ row }) => row), more: found.length > size };
}
