import { expect, test } from 'vitest';
import type { WatchEvent } from '../history.ts';
import { checkWatched } from './watched.ts';
import type { WatchedProperty } from './watchedProperties.ts';

/** The findings of one property. */
function found(property: WatchedProperty, events: WatchEvent[]): string[] {
  const [checked] = checkWatched([
    { type: 'watching', properties: [property] },
    ...events,
    { type: 'watched', at: 200_000 },
  ]);
  return checked?.[1].found ?? [];
}

test('a property that nobody watched is not judged, and one without events proves nothing', () => {
  expect(checkWatched([])).toEqual([]);
  for (const property of ['revocation', 'presence', 'audit', 'figures'] as const)
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
