import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/fakeClock.ts';
import { ANNOUNCE_INTERVAL_MS, messageTally } from './messageTally.ts';

const row = (conversationId: string, unread: number) => ({ conversationId, unread });

test('messages of other chats are announced at once, then summed up every five seconds', async () => {
  const clock = fakeClock();
  const reported: unknown[] = [];
  const tally = messageTally(clock, (news) => reported.push(news));
  tally.add([row('a', 1)]);
  expect(reported).toEqual([{ messages: 1, chats: 1 }]);
  tally.add([row('a', 2)]);
  tally.add([row('b', 1)]);
  tally.add([row('a', 3)]);
  expect(reported).toHaveLength(1);
  await clock.pass(ANNOUNCE_INTERVAL_MS);
  expect(reported[1]).toEqual({ messages: 3, chats: 2 });
  // The text is removed, so that the same text can be announced again.
  await clock.pass(ANNOUNCE_INTERVAL_MS);
  expect(reported[2]).toBeNull();
  tally.add([]);
  expect(reported).toHaveLength(3);
  tally.add([row('a', 1)]);
  expect(reported[3]).toEqual({ messages: 1, chats: 1 });
});
