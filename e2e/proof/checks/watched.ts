import { isDeepStrictEqual } from 'node:util';
import { PUSH_APART_MS } from '@settee/protocol/model/push';
import type { WatchEvent, WatchedProperty } from './history.ts';

/** What is promised: at most this long until a socket ends, with a wrong presence, and until a due notification. */
export const PROMISED = { revocationMs: 5_000, presenceMs: 60_000, pushMs: 15_000 };
/** Beside other work everything may take long, but it must happen. */
export const AT_ALL: typeof PROMISED = { revocationMs: 120_000, presenceMs: 120_000, pushMs: 120_000 };

/** What is wrong, and how much was observed; nothing: no proof. */
type Checked = { found: string[]; observed: string };

/** When a fault began, and how long it lasted. */
export type FaultTime = { at: number; tookMs: number };

/** The events of one type. */
function only<T extends WatchEvent['type']>(
  events: readonly WatchEvent[],
  type: T,
): Extract<WatchEvent, { type: T }>[] {
  return events.filter((event): event is Extract<WatchEvent, { type: T }> => event.type === type);
}

/** A finding, but no proof that something is wrong. */
export const NOTHING_OBSERVED = 'nothing was observed';

const checks: Record<
  WatchedProperty,
  (events: readonly WatchEvent[], limits: typeof PROMISED, faults: readonly FaultTime[]) => Checked
> = {
  revocation: checkRevocation,
  presence: checkPresence,
  audit: checkAudit,
  pushes: checkPushes,
  media: checkMedia,
  figures: checkFigures,
};

/** Judges the properties that the watchers were to observe. */
export function checkWatched(
  events: readonly WatchEvent[],
  faults: readonly FaultTime[],
): [WatchedProperty, Checked][] {
  const [{ properties, timed } = { properties: [], timed: true }] = only(events, 'watching');
  return properties.map((property) => {
    const { found, observed } = checks[property](events, timed ? PROMISED : AT_ALL, faults);
    return [
      property,
      observed === '' ? { found: [...found, NOTHING_OBSERVED], observed } : { found, observed },
    ];
  });
}

/** The time counts while the gateway can read the database: before, it cannot know about the change. */
function checkRevocation(events: readonly WatchEvent[], limits: typeof PROMISED): Checked {
  const revoked = only(events, 'revoked');
  const took = revoked.map(({ tookMs, blindMs }) => (tookMs === null ? null : Math.max(0, tookMs - blindMs)));
  const found = revoked.flatMap(({ what, at }, index) => {
    const ms = took[index] ?? null;
    return ms !== null && ms <= limits.revocationMs
      ? []
      : [`${what} at ${new Date(at).toISOString()}: ${ms === null ? 'the socket stayed' : `${ms} ms`}`];
  });
  const worst = Math.max(...took.map((ms) => ms ?? Number.POSITIVE_INFINITY));
  return { found, observed: revoked.length === 0 ? '' : `${revoked.length} sockets, at most ${worst} ms` };
}

/** Follows what every visitor was told, and for how long it was wrong. */
function checkPresence(events: readonly WatchEvent[], limits: typeof PROMISED): Checked {
  const found: string[] = [];
  const told = new Map<string, boolean | null>();
  const wrongSince = new Map<string, number>();
  let there: boolean | null = null;
  let changes = 0;
  let worst = 0;

  const judge = (visitor: string, at: number): void => {
    const said = told.get(visitor) ?? null;
    const isWrong = said !== null && there !== null && said !== there;
    const since = wrongSince.get(visitor);
    if (isWrong && since === undefined) wrongSince.set(visitor, at);
    if (isWrong || since === undefined) return;
    wrongSince.delete(visitor);
    end(visitor, since, at);
  };
  const end = (visitor: string, since: number, at: number): void => {
    worst = Math.max(worst, at - since);
    if (at - since > limits.presenceMs)
      found.push(
        `${visitor} got a wrong presence for ${at - since} ms, from ${new Date(since).toISOString()}`,
      );
  };

  for (const event of events) {
    if (event.type === 'handlers') {
      there = event.there;
      changes += 1;
      for (const visitor of told.keys()) judge(visitor, event.at);
    } else if (event.type === 'told') {
      told.set(event.visitor, event.online);
      judge(event.visitor, event.at);
    }
  }
  const [last] = only(events, 'watched');
  for (const [visitor, since] of wrongSince) end(visitor, since, last?.at ?? since);
  const observed = `${told.size} visitors, ${changes} changes, wrong for at most ${worst} ms`;
  return { found, observed: told.size === 0 || changes === 0 ? '' : observed };
}

/** Compares the actions with the entries, by action and target. An action without an answer may have happened. */
function checkAudit(events: readonly WatchEvent[]): Checked {
  const found: string[] = [];
  const [chain] = only(events, 'auditChain');
  if (chain === undefined) found.push('the audit log was not verified');
  else if (chain.problem !== null) found.push(chain.problem);
  const entries = new Map(
    only(events, 'audited').map(({ action, target, entries: count }) => [`${action} ${target}`, count]),
  );
  const actions = only(events, 'action');
  for (const [key, own] of Map.groupBy(actions, ({ action, target }) => `${action} ${target}`)) {
    const done = own.filter((each) => each.done).length;
    const count = entries.get(key) ?? 0;
    if (count < done || count > own.length) found.push(`${key}: ${done} done, ${count} entries`);
  }
  const observed = `${actions.length} actions, a log of ${chain?.entries} entries`;
  return { found, observed: actions.length === 0 ? '' : observed };
}

/** Unseen for ten seconds; then at most half a minute after the one before. */
const DUE_MS = 10_000;
/** How late a notification may be after a fault: jobs of a killed worker are found after 90 s. */
const LATE_AFTER_FAULT_MS = 140_000;
/** A mark that was confirmed this soon was there before the notification was due. */
const SEEN_MS = 9_000;
/** The clock of the receiver and the one of PostgreSQL are the same, but not their rounding. */
const ROUNDING_MS = 50;

type Wanted = Extract<WatchEvent, { type: 'pushWanted' }>;
type Pushed = Extract<WatchEvent, { type: 'pushed' }>;

/** Every due notification arrives in time, none for what was seen, and none too soon after the one before. */
function checkPushes(
  events: readonly WatchEvent[],
  { pushMs }: typeof PROMISED,
  faults: readonly FaultTime[],
): Checked {
  const wanted = only(events, 'pushWanted');
  const pushed = Map.groupBy(only(events, 'pushed'), place);
  const end = only(events, 'watched')[0]?.at ?? Number.POSITIVE_INFINITY;
  const found = wanted.flatMap((want) => {
    const own = (pushed.get(place(want)) ?? []).toSorted((a, b) => a.at - b.at);
    return want.seenAt === null ? late(want, own, { faults, end, pushMs }) : [];
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
  { faults, end, pushMs }: { faults: readonly FaultTime[]; end: number; pushMs: number },
): string[] {
  const first = own.find(({ seq }) => seq >= want.seq);
  const before = own.findLast(({ seq }) => seq < want.seq);
  let deadline =
    Math.max(want.at + DUE_MS, (before?.at ?? Number.NEGATIVE_INFINITY) + PUSH_APART_MS) + pushMs;
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

/** No object without a row, no row of a ready image without its object, and every sent image is readable. */
function checkMedia(events: readonly WatchEvent[]): Checked {
  const images = only(events, 'image');
  const [store] = only(events, 'store');
  const rows = store?.rows ?? [];
  const objects = new Set(store?.objects ?? []);
  const paths = new Set(rows.flatMap(([, , stagedPath, path]) => [stagedPath, path]));
  const sent = new Set(rows.filter(([, state, , , isSent]) => state === 'ready' && isSent).map(([id]) => id));
  const found = [
    ...[...objects].filter((path) => !paths.has(path)).map((path) => `${path} has no row`),
    ...rows
      .filter(([, state, , path]) => state === 'ready' && !objects.has(path))
      .map(([id]) => `image ${id} has no object`),
    ...images.filter(({ media }) => !sent.has(media)).map(({ media }) => `image ${media} has no message`),
    ...images.filter(({ readable }) => !readable).map(({ media }) => `image ${media} cannot be read`),
  ];
  const observed = `${images.length} images, ${rows.length} rows, ${objects.size} objects`;
  return { found, observed: images.length === 0 ? '' : observed };
}

function checkFigures(events: readonly WatchEvent[]): Checked {
  const figures = only(events, 'figures');
  const found = figures.flatMap(({ by, period, figures: shown }) => {
    if (by === 'tables') return [];
    const tables = figures.find((other) => other.by === 'tables' && other.period === period);
    return differences(shown, tables?.figures ?? {}).map((what) => `${period}: ${what}`);
  });
  return { found, observed: figures.length === 0 ? '' : `${figures.length / 2} periods` };
}

function differences(shown: object, expected: object): string[] {
  const named = new Map(Object.entries(expected));
  return Object.entries(shown).flatMap(([name, value]) =>
    isDeepStrictEqual(value, named.get(name))
      ? []
      : [`${name} is ${JSON.stringify(value)}, the tables have ${JSON.stringify(named.get(name))}`],
  );
}
