import { expect, test } from 'vitest';
import { check, failedProperties, type Property } from './checker.ts';
import type { HistoryEvent, QueueLine, ReadMessage, Sender } from './history.ts';
import { unreadIn } from './marks.ts';

const chat = 'chat-1';
const first: ReadMessage = [1, 'id-1', 'visitor', 'hash-1', 1_001];
const second: ReadMessage = [2, 'id-2', 'owner', 'hash-2', 1_002];
const third: ReadMessage = [3, 'id-3', 'visitor', 'hash-3', 1_003];
const log = [first, second, third];

type Parts = {
  run?: HistoryEvent & { type: 'run' };
  attempts?: HistoryEvent[];
  acks?: HistoryEvent[];
  database?: ReadMessage[];
  pages?: ReadMessage[];
  phone?: ReadMessage[];
  lastSeq?: number;
  head?: Partial<Extract<HistoryEvent, { type: 'head' }>>;
  /** Added before the end is read. */
  more?: HistoryEvent[];
  queue?: QueueLine[];
  drop?: (event: HistoryEvent) => boolean;
};

const attempts = [
  attempted('id-1', 'phone', 0, 'visitor', 'hash-1'),
  attempted('id-2', 'console', 0, 'owner', 'hash-2'),
  attempted('id-3', 'phone', 1, 'visitor', 'hash-3'),
];
const acks = [acked('id-1', 1, 1_001), acked('id-2', 2, 1_002), acked('id-3', 3, 1_003)];

function attempted(
  id: string,
  device: string,
  order: number,
  sender: 'visitor' | 'owner',
  text: string,
): HistoryEvent {
  return { type: 'attempted', conversation: chat, device, order, id, sender, text };
}

function acked(id: string, seq: number, createdAt: number): HistoryEvent {
  return { type: 'acked', conversation: chat, device: 'phone', id, seq, createdAt };
}

function shows(device: string, visitorSeen: number, ownerSeen: number): HistoryEvent {
  return { type: 'marks', conversation: chat, device, visitorSeen, ownerSeen };
}

const row: QueueLine = [chat, 3, 1, 1_003, 'hash-3'];

/** A valid history with the changes of a test. */
function history(parts: Parts = {}): HistoryEvent[] {
  const database = parts.database ?? log;
  const read = (by: string, messages: ReadMessage[]): HistoryEvent => ({
    type: 'read',
    conversation: chat,
    by,
    messages,
  });
  const events: HistoryEvent[] = [
    parts.run ?? { type: 'run', seed: 1, wantedSends: 3, wantedFaults: 1 },
    { type: 'device', conversation: chat, device: 'phone' },
    { type: 'device', conversation: chat, device: 'console' },
    ...(parts.attempts ?? attempts),
    ...(parts.acks ?? acks),
    { type: 'fault', kind: 'gateway killed', at: 0, tookMs: 1, recoveredMs: 1, note: '' },
    { type: 'seen', conversation: chat, device: 'phone', sender: 'visitor', seq: 2 },
    { type: 'seen', conversation: chat, device: 'console', sender: 'owner', seq: 1 },
    shows('phone', 2, 1),
    shows('console', 2, 0),
    shows('console', 2, 1),
    ...(parts.more ?? []),
    read('database', database),
    read('pages', parts.pages ?? database),
    read('phone', parts.phone ?? database),
    read('console', database),
    {
      type: 'head',
      conversation: chat,
      lastSeq: parts.lastSeq ?? database.length,
      visitorSeen: 2,
      ownerSeen: 1,
      unread: unreadIn(database, 1),
      ...parts.head,
    },
    { type: 'queue', desk: 'desk', by: 'database', rows: [row] },
    { type: 'queue', desk: 'desk', by: 'console', rows: parts.queue ?? [row] },
  ];
  return events.filter((event) => !parts.drop?.(event));
}

function failed(parts: Parts): Property[] {
  return failedProperties(check(history(parts)));
}

test('a good history has no findings', () => {
  const verdict = check(history());
  expect(failedProperties(verdict)).toEqual([]);
  expect(verdict).toMatchObject({ conversations: 1, attempted: 3, acked: 3, stored: 3 });
});

test('a message that was neither acknowledged nor stored is no finding', () => {
  const unsent = attempted('id-4', 'phone', 2, 'visitor', 'hash-4');
  expect(failed({ attempts: [...attempts, unsent] })).toEqual([]);
});

test('a message that was stored but never acknowledged is no finding', () => {
  expect(
    failed({ run: { type: 'run', seed: 1, wantedSends: 2, wantedFaults: 1 }, acks: acks.slice(0, 2) }),
  ).toEqual([]);
});

const swapped: ReadMessage[] = [
  [1, 'id-3', 'visitor', 'hash-3', 1_001],
  second,
  [3, 'id-1', 'visitor', 'hash-1', 1_003],
];
const late: ReadMessage = [4, 'id-3', 'visitor', 'hash-3', 1_003];
const seenUpTo = (device: string, sender: Sender, seq: number): HistoryEvent => ({
  ...{ type: 'seen', conversation: chat, device, sender, seq },
});
const neverRead = (by: string) => (event: HistoryEvent) => event.type === 'read' && event.by === by;

test.each<[string, Parts, Property[]]>([
  ['an acknowledged message that nobody can read', { database: [first, second] }, ['lost']],
  ['a lost message in the middle', { database: [first, third], lastSeq: 3 }, ['lost', 'gaps', 'heads']],
  ['a conversation whose rows were never read', { drop: neverRead('database') }, ['lost']],
  [
    'a message stored twice',
    { database: [...log, [4, 'id-2', 'owner', 'hash-2', 1_004]] },
    ['duplicates', 'acks'],
  ],
  [
    'a message shown twice on one device',
    { phone: [first, second, second, third] },
    ['duplicates', 'gaps', 'devices'],
  ],
  [
    'an unused number',
    { database: [first, second, late], lastSeq: 4, acks: [...acks.slice(0, 2), acked('id-3', 4, 1_003)] },
    ['gaps', 'heads'],
  ],
  ['numbers that do not start at 1', { phone: [second, third] }, ['gaps', 'devices']],
  ['an ack with another number', { acks: [acked('id-1', 7, 1_001), ...acks.slice(1)] }, ['acks']],
  ['an ack with another time', { acks: [acked('id-1', 1, 9_999), ...acks.slice(1)] }, ['acks']],
  ['two different acks of one message', { acks: [...acks, acked('id-1', 2, 1_001)] }, ['acks']],
  ['a device that misses the newest message', { phone: [first, second] }, ['devices']],
  ['a device with two messages in the wrong order', { phone: [second, first, third] }, ['devices']],
  [
    'a device with another text',
    { phone: [first, second, [3, 'id-3', 'visitor', 'other', 1_003]] },
    ['devices'],
  ],
  ['a device that was never read', { drop: neverRead('console') }, ['devices']],
  ['history pages that differ from the database', { pages: [first, second] }, ['pages']],
  [
    'a message that nobody wrote',
    { database: [...log, [4, 'id-9', 'visitor', 'hash-9', 1_004]] },
    ['invented'],
  ],
  [
    'two messages written under one id',
    { attempts: [...attempts, attempted('id-1', 'phone', 2, 'visitor', 'other')] },
    ['invented', 'contents', 'order'],
  ],
  [
    'a stored text that was not written',
    { database: [first, second, [3, 'id-3', 'visitor', 'other', 1_003]] },
    ['contents'],
  ],
  [
    'a message with the wrong sender',
    { database: [first, second, [3, 'id-3', 'owner', 'hash-3', 1_003]] },
    ['contents'],
  ],
  [
    'messages of one sender in the wrong order',
    { database: swapped, acks: [acked('id-3', 1, 1_001), acked('id-2', 2, 1_002), acked('id-1', 3, 1_003)] },
    ['order'],
  ],
  ['a head that is not the number of messages', { lastSeq: 4 }, ['heads']],
  ['a head that was never read', { drop: (event) => event.type === 'head' }, ['heads']],
  [
    'a seen mark that is not stored, with a message of the other side below it',
    { more: [seenUpTo('console', 'owner', 3)] },
    ['seen'],
  ],
  [
    'a seen mark that nobody reported',
    { head: { visitorSeen: 3 }, more: [shows('phone', 3, 1), shows('console', 3, 1)] },
    ['seen'],
  ],
  [
    'a seen mark above the head',
    {
      head: { visitorSeen: 4 },
      more: [seenUpTo('phone', 'visitor', 4), shows('phone', 4, 1), shows('console', 4, 1)],
    },
    ['seen'],
  ],
  ['a seen mark that goes back', { more: [shows('phone', 1, 1), shows('phone', 2, 1)] }, ['seen']],
  [
    'a device that does not show the mark of the other side',
    { drop: (event) => event.type === 'marks' && event.device === 'phone' },
    ['seen'],
  ],
  ['an unread count that is too high', { head: { unread: 2 } }, ['unread']],
  ['an unread count that is too low', { head: { unread: 0 } }, ['unread']],
  ['another row on a console', { queue: [[chat, 3, 0, 1_003, 'hash-3']] }, ['queues']],
  ['a missing row on a console', { queue: [] }, ['queues']],
  ['a row too many on a console', { queue: [row, ['chat-2', 1, 1, 1_001, 'hash']] }, ['queues']],
  [
    'a queue that was never read',
    { drop: (event) => event.type === 'queue' && event.by === 'database' },
    ['queues'],
  ],
  [
    'too few acknowledged messages',
    { run: { type: 'run', seed: 1, wantedSends: 4, wantedFaults: 1 } },
    ['volume'],
  ],
  ['too few faults', { run: { type: 'run', seed: 1, wantedSends: 3, wantedFaults: 2 } }, ['volume']],
])('it finds %s', (_, parts, properties) => {
  expect(failed(parts)).toEqual(properties);
});

test('a seen mark that a broken connection lost is no finding if only own messages follow', () => {
  expect(failed({ more: [seenUpTo('phone', 'visitor', 3)] })).toEqual([]);
});

test('an empty history proves nothing', () => {
  expect(failedProperties(check([]))).toEqual(['volume']);
});
