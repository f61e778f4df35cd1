import { expect, test } from 'vitest';
import { type MediaRow, type WatchEvent, type WatchedProperty, watchedProperties } from './history.ts';
import { checkWatched, type FaultTime } from './watched.ts';

/** The findings of one property. */
function found(
  property: WatchedProperty,
  events: WatchEvent[],
  faults: FaultTime[] = [],
  timed = true,
): string[] {
  const watching: WatchEvent = { type: 'watching', properties: [property], timed };
  const [checked] = checkWatched([watching, ...events, { type: 'watched', at: 200_000 }], faults);
  return checked?.[1].found ?? [];
}

test('a property that nobody watched is not judged, and one without events proves nothing', () => {
  expect(checkWatched([], [])).toEqual([]);
  for (const property of Object.keys(watchedProperties) as WatchedProperty[])
    expect(found(property, [])).toContain('nothing was observed');
});

function revoked(tookMs: number | null, blindMs = 0): WatchEvent {
  return { type: 'revoked', what: 'device removed', at: 1_000, tookMs, blindMs };
}

test('a socket that outlives its access by more than 5 s is found', () => {
  expect(found('revocation', [revoked(5_000), revoked(0)])).toEqual([]);
  expect(found('revocation', [revoked(5_001)])).toHaveLength(1);
  expect(found('revocation', [revoked(null, 9_000)])).toHaveLength(1);
});

test('CI only asks whether a socket ends at all', () => {
  expect(found('revocation', [revoked(60_000)], [], false)).toEqual([]);
  expect(found('revocation', [revoked(null)], [], false)).toHaveLength(1);
});

test('the time in which a gateway cannot read the database does not count', () => {
  expect(found('revocation', [revoked(9_000, 4_000)])).toEqual([]);
  expect(found('revocation', [revoked(9_000, 3_999)])).toHaveLength(1);
});

const there: WatchEvent = { type: 'handlers', at: 0, there: true };

function told(at: number, online: boolean | null): WatchEvent {
  return { type: 'told', visitor: 'visitor', at, online };
}

test('a presence that is wrong for more than 60 s is found', () => {
  expect(found('presence', [there, told(1, true)])).toEqual([]);
  expect(found('presence', [there, told(1, false), told(60_001, true)])).toEqual([]);
  expect(found('presence', [there, told(1, false), told(60_002, true)])).toHaveLength(1);
  const left: WatchEvent = { type: 'handlers', at: 100_000, there: false };
  expect(found('presence', [there, told(1, true), left])).toHaveLength(1);
  expect(found('presence', [there, told(1, true), left, told(100_900, false)])).toEqual([]);
});

test('neither a change in progress nor a visitor without a connection is a wrong presence', () => {
  const changing: WatchEvent = { type: 'handlers', at: 50_000, there: null };
  expect(found('presence', [there, told(1, false), changing])).toEqual([]);
  expect(found('presence', [there, told(1, false), told(50_000, null)])).toEqual([]);
});

const block = { action: 'conversation.block', target: 'chat' };
const whole: WatchEvent = { type: 'auditChain', problem: null, entries: 9 };

test('an action without its one entry is found', () => {
  const action: WatchEvent = { type: 'action', ...block, done: true };
  const audited = (entries: number): WatchEvent => ({ type: 'audited', ...block, entries });
  expect(found('audit', [action, audited(1), whole])).toEqual([]);
  expect(found('audit', [action, whole])).toHaveLength(1);
  expect(found('audit', [action, audited(2), whole])).toHaveLength(1);
  expect(found('audit', [action, action, audited(1), whole])).toHaveLength(1);
});

test('an action without an answer may have an entry', () => {
  const action: WatchEvent = { type: 'action', ...block, done: false };
  expect(found('audit', [action, whole])).toEqual([]);
  expect(found('audit', [action, { type: 'audited', ...block, entries: 1 }, whole])).toEqual([]);
  expect(found('audit', [action, { type: 'audited', ...block, entries: 2 }, whole])).toHaveLength(1);
});

test('a broken chain, or one that was not verified, is found', () => {
  const action: WatchEvent = { type: 'action', ...block, done: true };
  const audited: WatchEvent = { type: 'audited', ...block, entries: 1 };
  expect(found('audit', [action, audited])).toHaveLength(1);
  expect(found('audit', [action, audited, { ...whole, problem: 'entry 3 was changed' }])).toHaveLength(1);
});

test('a figure of the dashboard that is not that of the tables is found', () => {
  const figures = (by: 'dashboard' | 'tables', replies: number): WatchEvent => ({
    type: 'figures',
    by,
    period: 'today',
    figures: { messages: { replies }, invites: 1 },
  });
  expect(found('figures', [figures('dashboard', 5), figures('tables', 5)])).toEqual([]);
  expect(found('figures', [figures('dashboard', 5), figures('tables', 6)])).toHaveLength(1);
  expect(found('figures', [figures('dashboard', 5)])).toHaveLength(2);
});

function wanted(seq: number, at: number, seenAt: number | null = null): WatchEvent {
  return { type: 'pushWanted', to: 'phone', conversation: 'chat', seq, began: at, at, seenAt };
}

function pushed(seq: number, at: number): WatchEvent {
  return { type: 'pushed', to: 'phone', conversation: 'chat', seq, at };
}

test('a notification that is late or missing is found', () => {
  expect(found('pushes', [wanted(1, 0), pushed(1, 10_500)])).toEqual([]);
  expect(found('pushes', [wanted(1, 0), pushed(1, 25_001)])).toHaveLength(1);
  expect(found('pushes', [wanted(1, 0), pushed(1, 10_500), wanted(2, 60_000)])).toHaveLength(1);
  // Half a minute after the one before.
  const first = [wanted(1, 0), pushed(1, 10_500), wanted(2, 11_000)];
  expect(found('pushes', [...first, pushed(2, 40_600)])).toEqual([]);
});

test('a notification may be late after a fault, but must not be missing', () => {
  const killed = { at: 9_000, tookMs: 3_000 };
  expect(found('pushes', [wanted(1, 0), pushed(1, 100_000)], [killed])).toEqual([]);
  expect(found('pushes', [wanted(1, 0), pushed(1, 152_001)], [killed])).toHaveLength(1);
  const other: WatchEvent = { type: 'pushed', to: 'tablet', conversation: 'chat', seq: 1, at: 1 };
  expect(found('pushes', [wanted(1, 0), other], [killed])).toHaveLength(1);
});

test('a notification of a seen message is found', () => {
  const earlier = [wanted(1, 0), pushed(1, 10_500)];
  expect(found('pushes', [...earlier, wanted(2, 60_000, 61_000)])).toEqual([]);
  expect(found('pushes', [...earlier, wanted(2, 60_000, 61_000), pushed(2, 70_500)])).toHaveLength(1);
  // Seen too late to prevent it.
  expect(found('pushes', [...earlier, wanted(2, 60_000, 70_400), pushed(2, 70_500)])).toEqual([]);
});

test('a notification that comes twice or too soon is found, unless a process died', () => {
  const twice = [wanted(1, 0), pushed(1, 10_500), pushed(1, 12_000)];
  expect(found('pushes', twice)).toHaveLength(1);
  expect(found('pushes', twice, [{ at: 10_000, tookMs: 1_000 }])).toEqual([]);
  const soon = [wanted(1, 0), pushed(1, 10_500), wanted(2, 11_000), pushed(2, 40_000)];
  expect(found('pushes', soon)).toHaveLength(1);
});

test('an object without a row, and a row without an object, are found', () => {
  const image: WatchEvent = { type: 'image', media: 'm', readable: true };
  const row: MediaRow = ['m', 'ready', 'uploads/1', 'conversations/1', true];
  const store = (objects: string[], rows: MediaRow[]): WatchEvent => ({ type: 'store', objects, rows });
  expect(found('media', [image, store(['conversations/1'], [row])])).toEqual([]);
  expect(found('media', [image, store(['conversations/1', 'uploads/1'], [row])])).toEqual([]);
  expect(found('media', [image, store(['conversations/1', 'conversations/2'], [row])])).toHaveLength(1);
  expect(found('media', [image, store([], [row])])).toHaveLength(1);
  expect(found('media', [image])).toHaveLength(1);
  expect(found('media', [{ ...image, readable: false }, store(['conversations/1'], [row])])).toHaveLength(1);
});
