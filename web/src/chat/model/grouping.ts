import { texts } from '@settee/protocol/texts/texts';
import { dayLabel, dayOf } from '../../browser/times.ts';
import type { Entry } from './entries.ts';

/** Messages of one sender on one day form a group if they are closer than this. */
const GROUP_WITHIN_MS = 3 * 60_000;

export type Row = {
  entry: Entry;
  /** Set for the first message of a day. */
  day: string | undefined;
  /** The staff member who wrote it, if the reader may know. */
  author: string | undefined;
  opensGroup: boolean;
  closesGroup: boolean;
};

/** The author of the reader's own messages. */
export const OWN = '';

/** Groups entries. The line above `splitBefore`, a message's key, ends a group too. */
export function groupRows(
  entries: readonly Entry[],
  now: number,
  splitBefore?: string,
  authorOf?: (seq: number) => string | undefined,
): Row[] {
  const days = entries.map(({ at }) => dayOf(at));
  const authors = entries.map(({ seq, sender }) =>
    sender === 'visitor' ? undefined : seq === null ? OWN : authorOf?.(seq),
  );
  const colleague = (i: number) => authors[i] || undefined;
  const joins = entries.map((entry, i) => {
    const before = entries[i - 1];
    return (
      before !== undefined &&
      entry.key !== splitBefore &&
      before.sender === entry.sender &&
      colleague(i - 1) === colleague(i) &&
      days[i - 1] === days[i] &&
      entry.at - before.at < GROUP_WITHIN_MS
    );
  });
  return entries.map((entry, i) => ({
    entry,
    day: i > 0 && days[i - 1] === days[i] ? undefined : dayLabel(entry.at, now),
    // Below a colleague's, an own message without a name would seem to be the colleague's too.
    author: authors[i] === OWN && !joins[i] && colleague(i - 1) ? texts.you : colleague(i),
    opensGroup: !joins[i],
    closesGroup: !joins[i + 1],
  }));
}
