import type { Entry } from './entries.ts';
import { dayLabel, sameDay } from './times.ts';

/** Messages of one sender, on one day, each within this of the one before, are drawn as one block. */
const GROUP_WITHIN_MS = 3 * 60_000;

export type Row = {
  entry: Entry;
  /** Set above the first message of a day. */
  day: string | undefined;
  opensGroup: boolean;
  closesGroup: boolean;
  inLastGroup: boolean;
};

export function groupRows(entries: readonly Entry[], now: number): Row[] {
  let lastGroupStart = 0;
  const rows = entries.map((entry, i): Row => {
    const before = entries[i - 1];
    const after = entries[i + 1];
    const opensGroup = !before || !together(before, entry);
    if (opensGroup) lastGroupStart = i;
    return {
      entry,
      day: before && sameDay(before.at, entry.at) ? undefined : dayLabel(entry.at, now),
      opensGroup,
      closesGroup: !after || !together(entry, after),
      inLastGroup: false,
    };
  });
  return rows.map((row, i) => (i >= lastGroupStart ? { ...row, inLastGroup: true } : row));
}

function together(a: Entry, b: Entry): boolean {
  return a.sender === b.sender && sameDay(a.at, b.at) && b.at - a.at < GROUP_WITHIN_MS;
}
