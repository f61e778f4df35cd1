import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/fakeClock.ts';
import { NEWS_EVERY_MS, newsTally } from './newsTally.ts';

const row = (conversationId: string, unread: number) => ({ conversationId, unread });

test('[QUEUE-14] news of other chats is told at once, then added up and told every five seconds', async () => {
  const clock = fakeClock();
  const told: unknown[] = [];
  const tally = newsTally(clock, (news) => told.push(news));
  tally.add([row('a', 1)]);
  expect(told).toEqual([{ messages: 1, chats: 1 }]);
  tally.add([row('a', 2)]);
  tally.add([row('b', 1)]);
  tally.add([row('a', 3)]);
  expect(told).toHaveLength(1);
  await clock.pass(NEWS_EVERY_MS);
  expect(told[1]).toEqual({ messages: 3, chats: 2 });
  // The words go, so that the same ones can be announced again.
  await clock.pass(NEWS_EVERY_MS);
  expect(told[2]).toBeNull();
  tally.add([]);
  expect(told).toHaveLength(3);
  tally.add([row('a', 1)]);
  expect(told[3]).toEqual({ messages: 1, chats: 1 });
});
