import { expect, test } from 'vitest';
import { outboxContract } from '../../../test/outboxContract.ts';
import { indexedDbOutbox } from './indexedDbOutbox.ts';

/** Each test has its own, empty database. */
const someone = () => crypto.randomUUID();

test.each(Object.entries(outboxContract))('the outbox in IndexedDB %s', (_, holds) =>
  holds(indexedDbOutbox(someone())),
);

test('the outbox in IndexedDB keeps one order for all tabs', async () => {
  const whose = someone();
  const [one, other] = [indexedDbOutbox(whose), indexedDbOutbox(whose)];
  const put = (id: string, tab = one) => tab.put({ id, conversationId: 'here', text: id, at: 0 });
  await put('z');
  await put('y', other);
  await put('x');
  const third = indexedDbOutbox(whose);
  expect((await third.listAll()).map(({ id }) => id)).toEqual(['z', 'y', 'x']);
});
