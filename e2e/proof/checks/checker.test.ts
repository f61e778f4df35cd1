import { expect, test } from 'vitest';
import { check, failedProperties, type Property, properties } from './checker.ts';
import type { HistoryEvent, QueueLine, ReadMessage, WatchEvent } from './history.ts';
import { unreadIn } from './marks.ts';
import { checkWatched } from './watched.ts';

const chat = 'chat-1';
const first: ReadMessage = [1, 'id-1', 'visitor', 'hash-1', 1_001];
const second: ReadMessage = [2, 'id-2', 'owner', 'hash-2', 1_002];
const third: ReadMessage = [3, 'id-3', 'visitor', 'hash-3', 1_003];
const log = [first, second, third];
const row: QueueLine = [chat, 3, 1, 1_003, 'hash-3'];

const attempted = ([, id, sender, text]: ReadMessage, order: number): HistoryEvent => {
  const device = sender === 'visitor' ? 'phone' : 'console';
  return { type: 'attempted', conversation: chat, device, order, id, sender, text };
};
const acked = ([seq, id, , , createdAt]: ReadMessage): HistoryEvent => ({
  ...{ type: 'acked', conversation: chat, device: 'phone', id, seq, createdAt },
});
const shows = (device: string, visitorSeen: number, ownerSeen: number): HistoryEvent => ({
  ...{ type: 'marks', conversation: chat, device, visitorSeen, ownerSeen },
});

type Parts = {
  wantedSends?: number;
  acks?: HistoryEvent[];
  database?: ReadMessage[];
  pages?: ReadMessage[];
  phone?: ReadMessage[];
  lastSeq?: number;
  unread?: number;
  /** Added before the end is read. */
  more?: HistoryEvent[];
  queue?: QueueLine[];
};

/** A valid history with the changes of a test. */
function history({ database = log, ...parts }: Parts = {}): HistoryEvent[] {
  const read = (by: string, messages: ReadMessage[]): HistoryEvent => ({
    ...{ type: 'read', conversation: chat, by, messages },
  });
  const lastSeq = parts.lastSeq ?? database.length;
  const unread = parts.unread ?? unreadIn(database, 1);
  return [
    { type: 'run', seed: 1, wantedSends: parts.wantedSends ?? 3, wantedFaults: 1 },
    { type: 'device', conversation: chat, device: 'phone' },
    { type: 'device', conversation: chat, device: 'console' },
    ...log.map((message, at) => attempted(message, at)),
    ...(parts.acks ?? log.map(acked)),
    { type: 'fault', kind: 'gateway killed', at: 0, tookMs: 1, recoveredMs: 1, note: '' },
    { type: 'seen', conversation: chat, device: 'phone', sender: 'visitor', seq: 2 },
    { type: 'seen', conversation: chat, device: 'console', sender: 'owner', seq: 1 },
    ...[shows('phone', 2, 1), shows('console', 2, 1)],
    ...(parts.more ?? []),
    read('database', database),
    read('pages', parts.pages ?? database),
    read('phone', parts.phone ?? database),
    read('console', database),
    { type: 'head', conversation: chat, lastSeq, visitorSeen: 2, ownerSeen: 1, unread },
    { type: 'queue', desk: 'desk', by: 'database', rows: [row] },
    { type: 'queue', desk: 'desk', by: 'console', rows: parts.queue ?? [row] },
  ];
}

const failed = (parts: Parts): Property[] => failedProperties(check(history(parts)));
const other: ReadMessage = [3, 'id-3', 'visitor', 'other', 1_003];
const swapped: ReadMessage[] = [
  [1, 'id-3', 'visitor', 'hash-3', 1_001],
  second,
  [3, 'id-1', 'visitor', 'hash-1', 1_003],
];

const planted: [what: string, parts: Parts, properties: Property[]][] = [
  ['an acknowledged message that nobody can read', { database: [first, second] }, ['lost']],
  [
    'a message stored twice',
    { database: [...log, [4, 'id-2', 'owner', 'hash-2', 1_004]] },
    ['duplicates', 'acks'],
  ],
  ['numbers that do not start at 1', { phone: [second, third] }, ['gaps', 'devices']],
  ['two messages in the wrong order on a device', { phone: [second, first, third] }, ['devices']],
  ['history pages that differ from the database', { pages: [first, second] }, ['pages']],
  [
    'a message that nobody wrote',
    { database: [...log, [4, 'id-9', 'visitor', 'hash-9', 1_004]] },
    ['invented'],
  ],
  ['a stored text that was not written', { database: [first, second, other] }, ['contents']],
  ['one sender’s messages in the wrong order', { database: swapped, acks: swapped.map(acked) }, ['order']],
  ['a head that is not the number of messages', { lastSeq: 4 }, ['heads']],
  ['a seen mark that goes back', { more: [shows('phone', 1, 1), shows('phone', 2, 1)] }, ['seen']],
  ['a wrong unread count', { unread: 2 }, ['unread']],
  ['a missing row on a console', { queue: [] }, ['queues']],
  ['too few acknowledged messages', { wantedSends: 4 }, ['volume']],
];

test.each(planted)('it finds %s', (_, parts, broken) => {
  expect(failed(parts)).toEqual(broken);
});

test('a good history has no findings, and an empty one proves nothing', () => {
  expect(failed({})).toEqual([]);
  // Stored, but never acknowledged.
  expect(failed({ wantedSends: 2, acks: log.slice(0, 2).map(acked) })).toEqual([]);
  expect(failedProperties(check([]))).toEqual(['volume']);
});

const audit = { action: 'conversation.block', target: 'chat' };
const push = { to: 'phone', conversation: 'chat', seq: 1 };
const figures = { type: 'figures', period: 'today' } as const;

/** A fault that each watched property must find, and the events beside it, which are right. */
const watched: { [Name in Property]?: { good: WatchEvent[]; bad: WatchEvent } } = {
  revocation: {
    good: [{ type: 'revoked', what: 'device removed', at: 1_000, tookMs: 9_000, blindMs: 4_000 }],
    bad: { type: 'revoked', what: 'device removed', at: 1_000, tookMs: 9_000, blindMs: 3_999 },
  },
  presence: {
    good: [
      { type: 'handlers', at: 0, there: true },
      { type: 'told', visitor: 'visitor', at: 1, online: true },
    ],
    bad: { type: 'told', visitor: 'another', at: 1, online: false },
  },
  audit: {
    good: [
      { type: 'action', ...audit, done: true },
      { type: 'audited', ...audit, entries: 1 },
      { type: 'auditChain', problem: null, entries: 9 },
    ],
    bad: { type: 'action', ...audit, target: 'another', done: true },
  },
  pushes: {
    good: [
      { type: 'pushWanted', ...push, began: 0, at: 0, seenAt: null },
      { type: 'pushed', ...push, at: 10_500 },
    ],
    bad: { type: 'pushed', ...push, at: 12_000 },
  },
  media: {
    good: [
      { type: 'image', media: 'm', readable: true },
      { type: 'store', objects: ['a/1'], rows: [['m', 'ready', 'uploads/1', 'a/1', true]] },
    ],
    bad: { type: 'image', media: 'm', readable: false },
  },
  figures: {
    good: [
      { ...figures, by: 'dashboard', figures: { invites: 1 } },
      { ...figures, by: 'tables', figures: { invites: 1 } },
    ],
    bad: { ...figures, by: 'dashboard', figures: { invites: 2 } },
  },
};

test.each(Object.entries(watched))('the watchers of %s find a fault, and nothing else', (name, events) => {
  const found = (...more: WatchEvent[]): number | undefined => {
    const watching = { type: 'watching', properties: [name], timed: true } as WatchEvent;
    const end: WatchEvent = { type: 'watched', at: 200_000 };
    return checkWatched([watching, ...more, end], [])[0]?.[1].found.length;
  };
  expect([found(...events.good), found(...events.good, events.bad)]).toEqual([0, 1]);
  expect(found()).toBeGreaterThan(0);
});

test('every property has a planted fault', () => {
  const found = [...planted.flatMap(([, , broken]) => broken), ...Object.keys(watched)];
  expect(new Set(found)).toEqual(new Set(Object.keys(properties)));
});
