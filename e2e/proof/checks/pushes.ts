import { PUSH_APART_MS } from '@settee/protocol/model/push';
import type { WatchEvent } from '../history.ts';
import { type Checked, type FaultTime, only } from './checked.ts';

/** Unseen for ten seconds; then at most half a minute after the one before. */
const DUE_MS = 10_000;
/** How late a notification may be without a fault, and after one: jobs of a killed worker are found after 90 s. */
const LATE_MS = 15_000;
const LATE_AFTER_FAULT_MS = 140_000;
/** A mark that was confirmed this soon was there before the notification was due. */
const SEEN_MS = 9_000;
/** The clock of the receiver and the one of PostgreSQL are the same, but not their rounding. */
const ROUNDING_MS = 50;

type Wanted = Extract<WatchEvent, { type: 'pushWanted' }>;
type Pushed = Extract<WatchEvent, { type: 'pushed' }>;

/** Every due notification arrives in time, none for what was seen, and none too soon after the one before. */
export function checkPushes(events: readonly WatchEvent[], faults: readonly FaultTime[]): Checked {
  const wanted = only(events, 'pushWanted');
  const pushed = Map.groupBy(only(events, 'pushed'), place);
  const end = only(events, 'watched')[0]?.at ?? Number.POSITIVE_INFINITY;
  const found = wanted.flatMap((want) => {
    const own = (pushed.get(place(want)) ?? []).toSorted((a, b) => a.at - b.at);
    return want.seenAt === null ? late(want, own, { faults, end }) : [];
  });
  for (const want of wanted) {
    if (want.seenAt === null || want.seenAt > want.began + SEEN_MS) continue;
    if (pushed.get(place(want))?.some(({ seq }) => seq === want.seq))
      found.push(`${place(want)}: ${want.seq} was seen, and still notified`);
  }
  for (const [where, own] of pushed) found.push(...tooSoon(where, own, faults));
  const count = [...pushed.values()].flat().length;
  return { found, observed: count === 0 ? '' : `${wanted.length} messages, ${count} notifications` };
}

function place({ to, conversation }: { to: string; conversation: string }): string {
  return `${to}, ${conversation}`;
}

function late(
  want: Wanted,
  own: Pushed[],
  { faults, end }: { faults: readonly FaultTime[]; end: number },
): string[] {
  const first = own.find(({ seq }) => seq >= want.seq);
  const before = own.findLast(({ seq }) => seq < want.seq);
  let deadline =
    Math.max(want.at + DUE_MS, (before?.at ?? Number.NEGATIVE_INFINITY) + PUSH_APART_MS) + LATE_MS;
  for (const { at, tookMs } of faults)
    if (at < deadline && at + tookMs > want.began)
      deadline = Math.max(deadline, at + tookMs + LATE_AFTER_FAULT_MS);
  // The run may end before the deadline.
  if ((first?.at ?? end) <= deadline) return [];
  const when = first === undefined ? 'never' : `${first.at - deadline} ms too late`;
  return [`${place(want)}: ${want.seq} was notified ${when}`];
}

/** A process that dies between sending and noting it sends again. */
function tooSoon(where: string, pushes: Pushed[], faults: readonly FaultTime[]): string[] {
  const own = pushes.toSorted((a, b) => a.at - b.at);
  return own.flatMap((push, index) => {
    const before = own[index - 1];
    if (before === undefined || hasFault(faults, before.at - DUE_MS, push.at)) return [];
    if (push.seq === before.seq) return [`${where}: ${push.seq} was notified twice`];
    const apart = push.at - before.at;
    return apart >= PUSH_APART_MS - ROUNDING_MS ? [] : [`${where}: two notifications within ${apart} ms`];
  });
}

function hasFault(faults: readonly FaultTime[], from: number, until: number): boolean {
  return faults.some(({ at, tookMs }) => at < until && at + tookMs > from);
}
