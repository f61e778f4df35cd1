import { describe, expect, test } from 'vitest';
import { outboxContract } from '../../../test/contracts.ts';
import { anUnsent } from '../../../test/unsent.ts';
import type { Api, Failure } from '../../net/api.ts';
import { flushOutbox } from './flushOutbox.ts';
import { memoryOutbox } from './outbox.ts';

type Refusal = Partial<Omit<Failure, 'answer'>>;

/** An outbox of [conversation, text] pairs, and a server that stores every id once and refuses as the test says. */
async function setUp(unsent: [conversation: string, text: string][], refusals: Record<string, Refusal> = {}) {
  const outbox = memoryOutbox();
  for (const [conversationId, text] of unsent) await outbox.put(anUnsent(text, { conversationId }));
  const asked: string[] = [];
  const stored: string[] = [];
  const api = (async (_name: string, parts: { params: { id: string }; body: { id: string } }) => {
    const { id } = parts.body;
    asked.push(`${parts.params.id} ${id}`);
    const refusal = refusals[id];
    if (refusal) return { ok: false, code: undefined, status: 400, text: '', answer: undefined, ...refusal };
    if (!stored.includes(id)) stored.push(id);
    return { ok: true, answer: { success: true, seq: stored.indexOf(id) + 1, createdAt: 0 } };
  }) as unknown as Api;
  const left = async () => (await outbox.listAll()).map(({ id }) => id);
  return { outbox, api, asked, stored, left };
}

test('sends every conversation’s messages one after another, in order, and leaves an empty outbox', async () => {
  const { outbox, api, asked, left } = await setUp([
    ['b', 'one'],
    ['a', 'two'],
    ['b', 'three'],
  ]);
  await flushOutbox({ outbox, api });
  expect(asked).toEqual(['b one', 'a two', 'b three']);
  expect(await left()).toEqual([]);
});

test.each<[string, Refusal]>([
  ['no network', { status: 0 }],
  ['a busy server', { status: 503, code: 'unavailable' }],
  ['too many', { status: 429, code: 'too_many' }],
  ['a proxy’s own words', { status: 502 }],
  ['a token that was refused twice', { status: 401, code: 'unauthenticated' }],
])('%s ends the run, and no message overtakes another', async (_, refusal) => {
  const { outbox, api, asked, left } = await setUp(
    [
      ['a', 'one'],
      ['a', 'two'],
      ['a', 'three'],
    ],
    { two: refusal },
  );
  await expect(flushOutbox({ outbox, api })).rejects.toThrow('the outbox waits');
  expect(asked).toEqual(['a one', 'a two']);
  expect(await left()).toEqual(['two', 'three']);
});

test.each<[string, Refusal]>([
  ['closed', { status: 409, code: 'conversation_closed' }],
  ['gone', { status: 404, code: 'not_found' }],
  ['not understood', { status: 400, code: 'bad_request' }],
])('a message refused for good (%s) stays for the page, and blocks no other', async (_, refusal) => {
  const { outbox, api, stored, left } = await setUp(
    [
      ['a', 'one'],
      ['a', 'two'],
      ['b', 'three'],
    ],
    { one: refusal },
  );
  const refused: unknown[] = [];
  await flushOutbox({ outbox, api, onRefused: (...refusal) => refused.push(refusal) });
  expect(refused).toEqual([['one', refusal.code]]);
  expect(stored).toEqual(['two', 'three']);
  expect(await left()).toEqual(['one']);
});

test('[PUSH-23] a guarded message carries what its writer had seen, including the own one before it', async () => {
  const outbox = memoryOutbox();
  await outbox.put(anUnsent('one', { after: 4 }));
  await outbox.put(anUnsent('two', { after: 4, behind: 'one' }));
  const bodies: unknown[] = [];
  const api = (async (_name: string, { body }: { body: unknown }) => {
    bodies.push(body);
    return { ok: true, answer: { success: true, seq: 5 + bodies.length, createdAt: 0 } };
  }) as unknown as Api;
  await flushOutbox({ outbox, api });
  expect(bodies).toEqual([
    { id: 'one', text: 'one', after: 4 },
    { id: 'two', text: 'two', after: 6 },
  ]);
});

test('[MSG-16] a finally refused message is not sent again automatically; on request it goes last', async () => {
  const refusals: Record<string, Refusal> = { one: { status: 409, code: 'conversation_closed' } };
  const { outbox, api, stored, left } = await setUp([['a', 'one']], refusals);
  await flushOutbox({ outbox, api });
  delete refusals.one;
  await outbox.put(anUnsent('two'));
  await flushOutbox({ outbox, api });
  expect([stored, await left()]).toEqual([['two'], ['one']]);
  await outbox.put(anUnsent('three'));
  await outbox.put(anUnsent('one'));
  await flushOutbox({ outbox, api });
  expect([stored, await left()]).toEqual([['two', 'three', 'one'], []]);
});

test('[MSG-16] a reply that a colleague preceded is returned, and not sent again', async () => {
  const { outbox, api, asked } = await setUp([['a', 'one']], {
    one: { status: 409, code: 'reply_outdated' },
  });
  await flushOutbox({ outbox, api });
  await flushOutbox({ outbox, api });
  expect([asked, await outbox.listAll()]).toMatchObject([['a one'], [{ id: 'one', state: 'returned' }]]);
});

describe('the outbox in memory', () => {
  for (const [promise, check] of Object.entries(outboxContract)) test(promise, () => check(memoryOutbox()));
});
