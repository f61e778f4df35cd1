import { expect, test } from 'vitest';
import type { Api, Failure } from '../../net/api.ts';
import { flushOutbox } from './flushOutbox.ts';
import { memoryOutbox } from './outbox.ts';

type Refusal = Partial<Omit<Failure, 'answer'>>;

/** An outbox of [conversation, text] pairs, and a server that stores every id once and refuses as the test says. */
async function setUp(unsent: [conversation: string, text: string][], refusals: Record<string, Refusal> = {}) {
  const outbox = memoryOutbox();
  for (const [conversationId, text] of unsent) await outbox.put({ id: text, conversationId, text, at: 0 });
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

test('a message leaves the outbox only when the server has stored it, and the next one waits for that', async () => {
  const { outbox, left } = await setUp([
    ['a', 'one'],
    ['a', 'two'],
  ]);
  const answers: (() => void)[] = [];
  const api = (() =>
    new Promise((resolve) => answers.push(() => resolve({ ok: true, answer: {} })))) as unknown as Api;
  const flushed = flushOutbox({ outbox, api });
  await settle();
  expect([answers.length, await left()]).toEqual([1, ['one', 'two']]);
  answers[0]?.();
  await settle();
  expect([answers.length, await left()]).toEqual([2, ['two']]);
  answers[1]?.();
  await flushed;
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

test('messages that a page sent meanwhile are sent again and stored once', async () => {
  const { outbox, api, stored, left } = await setUp([
    ['a', 'one'],
    ['a', 'two'],
  ]);
  stored.push('one');
  await Promise.all([flushOutbox({ outbox, api }), flushOutbox({ outbox, api })]);
  expect(stored).toEqual(['one', 'two']);
  expect(await left()).toEqual([]);
});

test('an empty outbox makes no call', async () => {
  const { outbox, api, asked } = await setUp([]);
  await flushOutbox({ outbox, api });
  expect(asked).toEqual([]);
});

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('[PUSH-23] a guarded message carries what its writer had seen, including the own one before it', async () => {
  const outbox = memoryOutbox();
  await outbox.put({ id: 'one', conversationId: 'a', text: 'one', at: 0, after: 4 });
  await outbox.put({ id: 'two', conversationId: 'a', text: 'two', at: 0, after: 4, behind: 'one' });
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
  await outbox.put({ id: 'two', conversationId: 'a', text: 'two', at: 0 });
  await flushOutbox({ outbox, api });
  expect([stored, await left()]).toEqual([['two'], ['one']]);
  await outbox.put({ id: 'three', conversationId: 'a', text: 'three', at: 0 });
  await outbox.again('one');
  await flushOutbox({ outbox, api });
  expect([stored, await left()]).toEqual([['two', 'three', 'one'], []]);
});

test('[MSG-16] a reply that a colleague preceded is not marked as refused: the console returns it', async () => {
  const { outbox, api } = await setUp([['a', 'one']], { one: { status: 409, code: 'reply_outdated' } });
  await flushOutbox({ outbox, api });
  expect((await outbox.listAll())[0]?.refused).toBeUndefined();
});
