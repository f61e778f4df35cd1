import type { QueueRow } from '@settee/protocol/model/conversation';
import { expect, test } from 'vitest';
import { aQueueRow as row } from '../../../test/aDesk.ts';
import { fakeClock } from '../../../test/fakeClock.ts';
import { createStore } from '../../browser/createStore.ts';
import { CHIME_INTERVAL_MS, chime } from '../../push/chime.ts';
import type { ConsoleState } from '../console.ts';
import { newVisitorMessages, onNewVisitorMessages } from './newVisitorMessages.ts';
import { ANNOUNCE_INTERVAL_MS, messageTally } from './useAlerts.tsx';

const unreadIn = (conversationId: string, unread: number) => ({ conversationId, unread });

test('messages of other chats are announced at once, then summed up every five seconds', async () => {
  const clock = fakeClock();
  const reported: unknown[] = [];
  const tally = messageTally(clock, (news) => reported.push(news));
  tally.add([unreadIn('a', 1)]);
  expect(reported).toEqual([{ messages: 1, chats: 1 }]);
  tally.add([unreadIn('a', 2)]);
  tally.add([unreadIn('b', 1)]);
  tally.add([unreadIn('a', 3)]);
  expect(reported).toHaveLength(1);
  await clock.pass(ANNOUNCE_INTERVAL_MS);
  expect(reported[1]).toEqual({ messages: 3, chats: 2 });
  // The text is removed, so that the same text can be announced again.
  await clock.pass(ANNOUNCE_INTERVAL_MS);
  expect(reported[2]).toBeNull();
  tally.add([]);
  expect(reported).toHaveLength(3);
  tally.add([unreadIn('a', 1)]);
  expect(reported[3]).toEqual({ messages: 1, chats: 1 });
});

const from = (sender: 'visitor' | 'owner', head: number, unread = 1) => ({
  lastSender: sender,
  head,
  unread,
});

test('own messages, and a conversation without messages, are no news', () => {
  const news = newVisitorMessages();
  news([row('a', from('visitor', 3))]);
  expect(news([row('a', from('owner', 4)), row('b', { head: 0 })])).toEqual([]);
});

test('a new conversation is news with its first message; one that is removed is not', () => {
  const news = newVisitorMessages();
  const a = row('a', from('visitor', 3));
  news([a]);
  const b = row('b', from('visitor', 1));
  expect(news([a, b])).toEqual([b]);
  expect(news([b])).toEqual([]);
  expect(news([a, b])).toEqual([]);
  // Closed long ago and reopened by hand: all its messages were read.
  expect(news([a, b, row('c', from('visitor', 12, 0))])).toEqual([]);
});

test('a desk that is lost and given back brings no news of its own', () => {
  const store = createStore<Pick<ConsoleState, 'queues' | 'desks'>>({ queues: new Map(), desks: [] });
  const reported: string[][] = [];
  const stop = onNewVisitorMessages({ ...store, get: store.get as () => ConsoleState }, (rows) =>
    reported.push(rows.map(({ conversationId }) => conversationId)),
  );
  const a = [row('a', from('visitor', 1))];
  const show = (queues: Record<string, QueueRow[]>) =>
    store.update({
      queues: new Map(Object.entries(queues).map(([alias, queue]) => [alias, { queue, part: null }])),
    });
  show({ first: a, second: [] });
  show({ first: a });
  show({ first: a, second: [row('b', from('visitor', 1)), row('c', from('visitor', 1))] });
  expect(reported).toEqual([]);
  show({ first: [row('a', from('visitor', 2))], second: [] });
  expect(reported).toEqual([['a']]);
  stop();
});

test('however many messages arrive, there is one sound in two seconds', async () => {
  const clock = fakeClock();
  let played = 0;
  const ring = chime(clock, () => played++);
  ring();
  ring();
  await clock.pass(CHIME_INTERVAL_MS - 1);
  ring();
  expect(played).toBe(1);
  await clock.pass(1);
  ring();
  expect(played).toBe(2);
});
