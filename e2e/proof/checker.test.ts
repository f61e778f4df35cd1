import { expect, test } from 'vitest';
import { check, failedProperties, type Property } from './checker.ts';
import { unreadIn } from './checks/marks.ts';
import type { HistoryEvent, QueueLine, ReadMessage, Sender } from './history.ts';

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

test('an acknowledged message that nobody can read is lost', () => {
  expect(failed({ database: [first, second] })).toEqual(['lost']);
});

test('a lost message in the middle is lost and leaves a gap', () => {
  expect(failed({ database: [first, third], lastSeq: 3 })).toEqual(['lost', 'gaps', 'heads']);
});

test('a conversation whose rows were never read counts as lost', () => {
  expect(failed({ drop: (event) => event.type === 'read' && event.by === 'database' })).toEqual(['lost']);
});

test('a message stored twice is found', () => {
  expect(failed({ database: [...log, [4, 'id-2', 'owner', 'hash-2', 1_004]] })).toEqual([
    'duplicates',
    'acks',
  ]);
});

test('a message shown twice on one device is found', () => {
  expect(failed({ phone: [first, second, second, third] })).toEqual(['duplicates', 'gaps', 'devices']);
});

test('an unused number is a gap', () => {
  const late: ReadMessage = [4, 'id-3', 'visitor', 'hash-3', 1_003];
  expect(
    failed({
      database: [first, second, late],
      lastSeq: 4,
      acks: [...acks.slice(0, 2), acked('id-3', 4, 1_003)],
    }),
  ).toEqual(['gaps', 'heads']);
});

test('numbers that do not start at 1 are a gap', () => {
  expect(failed({ phone: [second, third] })).toEqual(['gaps', 'devices']);
});

test('an ack with another number than the stored one is found', () => {
  expect(failed({ acks: [acked('id-1', 7, 1_001), ...acks.slice(1)] })).toEqual(['acks']);
});

test('an ack with another time than the stored one is found', () => {
  expect(failed({ acks: [acked('id-1', 1, 9_999), ...acks.slice(1)] })).toEqual(['acks']);
});

test('two different acks of one message are found', () => {
  expect(failed({ acks: [...acks, acked('id-1', 2, 1_001)] })).toEqual(['acks']);
});

test('a device that misses the newest message is found', () => {
  expect(failed({ phone: [first, second] })).toEqual(['devices']);
});

test('a device that shows two messages in the wrong order is found', () => {
  expect(failed({ phone: [second, first, third] })).toEqual(['devices']);
});

test('a device with another text is found', () => {
  expect(failed({ phone: [first, second, [3, 'id-3', 'visitor', 'other', 1_003]] })).toEqual(['devices']);
});

test('a device that was never read is found', () => {
  expect(failed({ drop: (event) => event.type === 'read' && event.by === 'console' })).toEqual(['devices']);
});

test('history pages that differ from the database are found', () => {
  expect(failed({ pages: [first, second] })).toEqual(['pages']);
});

test('a message that nobody wrote is found', () => {
  expect(failed({ database: [...log, [4, 'id-9', 'visitor', 'hash-9', 1_004]] })).toEqual(['invented']);
});

test('two messages written under one id are found', () => {
  expect(failed({ attempts: [...attempts, attempted('id-1', 'phone', 2, 'visitor', 'other')] })).toContain(
    'invented',
  );
});

test('a stored text that was not written is found', () => {
  expect(failed({ database: [first, second, [3, 'id-3', 'visitor', 'other', 1_003]] })).toEqual(['contents']);
});

test('a message with the wrong sender is found', () => {
  expect(failed({ database: [first, second, [3, 'id-3', 'owner', 'hash-3', 1_003]] })).toEqual(['contents']);
});

test('messages of one sender in the wrong order are found', () => {
  const swapped: ReadMessage[] = [
    [1, 'id-3', 'visitor', 'hash-3', 1_001],
    second,
    [3, 'id-1', 'visitor', 'hash-1', 1_003],
  ];
  expect(
    failed({
      database: swapped,
      acks: [acked('id-3', 1, 1_001), acked('id-2', 2, 1_002), acked('id-1', 3, 1_003)],
    }),
  ).toEqual(['order']);
});

test('a head that is not the number of messages is found', () => {
  expect(failed({ lastSeq: 4 })).toEqual(['heads']);
  expect(failed({ drop: (event) => event.type === 'head' })).toEqual(['heads']);
});

test('a reported seen mark that is not stored is found, if a message of the other side is below it', () => {
  const reports = (device: string, sender: Sender): HistoryEvent => ({
    type: 'seen',
    conversation: chat,
    device,
    sender,
    seq: 3,
  });
  expect(failed({ more: [reports('console', 'owner')] })).toEqual(['seen']);
  // The third message is the visitor's own.
  expect(failed({ more: [reports('phone', 'visitor')] })).toEqual([]);
});

test('a seen mark that nobody reported is found', () => {
  expect(failed({ head: { visitorSeen: 3 }, more: [shows('phone', 3, 1), shows('console', 3, 1)] })).toEqual([
    'seen',
  ]);
});

test('a seen mark above the head is found', () => {
  const seen: HistoryEvent = { type: 'seen', conversation: chat, device: 'phone', sender: 'visitor', seq: 4 };
  const more = [seen, shows('phone', 4, 1), shows('console', 4, 1)];
  expect(failed({ head: { visitorSeen: 4 }, more })).toEqual(['seen']);
});

test('a seen mark that goes back on one device is found', () => {
  expect(failed({ more: [shows('phone', 1, 1), shows('phone', 2, 1)] })).toEqual(['seen']);
});

test('a device that does not show the mark of the other side is found', () => {
  expect(failed({ drop: (event) => event.type === 'marks' && event.device === 'phone' })).toEqual(['seen']);
});

test('a wrong unread count is found', () => {
  expect(failed({ head: { unread: 2 } })).toEqual(['unread']);
  expect(failed({ head: { unread: 0 } })).toEqual(['unread']);
});

test('a console with another row than the database is found', () => {
  expect(failed({ queue: [[chat, 3, 0, 1_003, 'hash-3']] })).toEqual(['queues']);
  expect(failed({ queue: [] })).toEqual(['queues']);
  expect(failed({ queue: [row, ['chat-2', 1, 1, 1_001, 'hash']] })).toEqual(['queues']);
  expect(failed({ drop: (event) => event.type === 'queue' && event.by === 'database' })).toEqual(['queues']);
});

test('too few acknowledged messages or faults are found', () => {
  expect(failed({ run: { type: 'run', seed: 1, wantedSends: 4, wantedFaults: 1 } })).toEqual(['volume']);
  expect(failed({ run: { type: 'run', seed: 1, wantedSends: 3, wantedFaults: 2 } })).toEqual(['volume']);
});

test('an empty history proves nothing', () => {
  expect(failedProperties(check([]))).toEqual(['volume']);
});
