import { expect, test } from 'vitest';
import { memoryOutbox } from '../chat/outbox/outbox.ts';
import { forgetReturned, rememberMessages, splitReturned, withoutReturned } from './returnedMessage.ts';

function memoryDrafts() {
  const kept = new Map<string, string>();
  return {
    read: (id: string) => kept.get(id) ?? '',
    write: (id: string, text: string) => void kept.set(id, text),
  };
}

const one = { id: 'id-1', text: 'See you there' };
const two = { id: 'id-2', text: 'At noon?' };
const fresh = (text: string) => ({ id: expect.not.stringMatching(/^id-/) as string, text });

test('[MSG-19] returned text keeps its message id when it is sent unchanged, and only once', () => {
  const drafts = memoryDrafts();
  rememberMessages(drafts, 'chat', [one]);
  expect(splitReturned(drafts, 'other', one.text)).toEqual([fresh(one.text)]);
  expect(splitReturned(drafts, 'chat', ' See you there\n')).toEqual([one]);
  expect(splitReturned(drafts, 'chat', 'See you there, then')).toEqual([fresh('See you there, then')]);
  expect(forgetReturned(drafts, 'chat', [one])).toBe(true);
  expect(splitReturned(drafts, 'chat', one.text)).toEqual([fresh(one.text)]);
});

test('[MSG-19] what returns while a text is being sent keeps its id', () => {
  const drafts = memoryDrafts();
  rememberMessages(drafts, 'chat', [one, two]);
  splitReturned(drafts, 'chat', `${one.text}\n${two.text}`);
  const three = { id: 'id-3', text: 'Or later?' };
  rememberMessages(drafts, 'chat', [one, three]);
  expect(forgetReturned(drafts, 'chat', [one, two])).toBe(false);
  expect(splitReturned(drafts, 'chat', `${one.text}\n${three.text}`)).toEqual([one, three]);
  expect(splitReturned(drafts, 'chat', two.text)).toEqual([fresh(two.text)]);
});

test('[MSG-19] of two returned messages that match, the longer one is meant', () => {
  const drafts = memoryDrafts();
  const both = { id: 'id-3', text: `${one.text}\n${two.text}` };
  rememberMessages(drafts, 'chat', [one, both]);
  expect(splitReturned(drafts, 'chat', both.text)).toEqual([both]);
  expect(splitReturned(drafts, 'chat', `${both.text}\n${one.text}`)).toEqual([both, one]);
});

test('[MSG-19] several returned messages are sent one by one with their ids, and then what was added', () => {
  const drafts = memoryDrafts();
  rememberMessages(drafts, 'chat', [two]);
  rememberMessages(drafts, 'chat', [one]);
  const text = `${one.text}\n${two.text}`;
  expect(splitReturned(drafts, 'chat', text)).toEqual([one, two]);
  expect(splitReturned(drafts, 'chat', `${text}\nBye`)).toEqual([one, two, fresh('Bye')]);
  expect(splitReturned(drafts, 'chat', two.text)).toEqual([two]);
  expect(splitReturned(drafts, 'chat', `Hi\n${text}`)).toEqual([fresh(`Hi\n${text}`)]);
});

test('[MSG-19] text that is sent again before it is in the outbox keeps its message id', () => {
  const drafts = memoryDrafts();
  rememberMessages(drafts, 'chat', [one]);
  const first = splitReturned(drafts, 'chat', `${one.text}\nBye`);
  expect(splitReturned(drafts, 'chat', `${one.text}\nBye`)).toEqual(first);
  forgetReturned(drafts, 'chat', first);
  expect(splitReturned(drafts, 'chat', 'Bye')).not.toEqual(first.slice(1));
});

test('[MSG-19] what returned to the draft leaves the outbox, also if its page closed meanwhile', async () => {
  const drafts = memoryDrafts();
  const kept = memoryOutbox();
  const outbox = withoutReturned(kept, drafts);
  for (const { id, text } of [one, two]) await outbox.put({ id, text, conversationId: 'chat', at: 0 });
  rememberMessages(drafts, 'chat', [one]);
  expect((await outbox.list('chat')).map(({ id }) => id)).toEqual([two.id]);
  expect((await kept.listAll()).map(({ id }) => id)).toEqual([two.id]);

  // Sent again, it is unsent again.
  splitReturned(drafts, 'chat', one.text);
  await outbox.put({ ...one, conversationId: 'chat', at: 1 });
  expect((await outbox.listAll()).map(({ id }) => id)).toEqual([two.id, one.id]);
});
