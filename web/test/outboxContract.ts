import type { OutboxEntry } from '../src/chat/model/conversationState.ts';
import type { Outbox } from '../src/chat/outbox/outbox.ts';

/** Checks for every outbox: the one in memory, and the one on IndexedDB in a browser. */
export const outboxContract: Record<string, (outbox: Outbox) => Promise<void>> = {
  'lists the stored messages of a conversation in order': async (outbox) => {
    const mine = [entry('c', 'one'), entry('a', 'two'), entry('b', 'three')];
    for (const each of mine) await outbox.put(each);
    await outbox.put({ ...entry('d', 'elsewhere'), conversationId: 'other' });
    expectSame(await outbox.list('here'), mine);
  },
  'removes only the given message': async (outbox) => {
    await outbox.put(entry('a', 'one'));
    await outbox.put(entry('b', 'two'));
    await outbox.remove('a');
    await outbox.remove('never there');
    expectSame(await outbox.list('here'), [entry('b', 'two')]);
  },
  'lists the messages of all conversations in the order in which they were stored': async (outbox) => {
    const all = [entry('b', 'one'), { ...entry('c', 'two'), conversationId: 'other' }, entry('a', 'three')];
    // At the same time, as when somebody types fast.
    await Promise.all(all.map((each) => outbox.put(each)));
    expectSame(await outbox.listAll(), all);
    await outbox.remove('b');
    await outbox.put(entry('b', 'four'));
    expectSame(await outbox.listAll(), [...all.slice(1), entry('b', 'four')]);
  },
  'keeps a refused message in its place and marks it': async (outbox) => {
    for (const id of ['a', 'b']) await outbox.put(entry(id, id));
    await outbox.refuse('a');
    await outbox.refuse('never there');
    expectSame(await outbox.listAll(), [{ ...entry('a', 'a'), refused: true }, entry('b', 'b')]);
  },
  'takes a refusal back, and keeps the place of the message': async (outbox) => {
    for (const id of ['a', 'b']) await outbox.put(entry(id, id));
    await outbox.refuse('a');
    await outbox.refuse('a', false);
    await outbox.refuse('never there', false);
    expectSame(await outbox.listAll(), [entry('a', 'a'), entry('b', 'b')]);
  },
  'sends a refused message again after all others': async (outbox) => {
    for (const id of ['a', 'b']) await outbox.put(entry(id, id));
    await outbox.refuse('a');
    await outbox.again('a');
    await outbox.again('never there');
    await outbox.put(entry('c', 'c'));
    expectSame(await outbox.listAll(), [entry('b', 'b'), entry('a', 'a'), entry('c', 'c')]);
  },
  'lists nothing for a conversation without unsent messages': async (outbox) => {
    expectSame(await outbox.list('here'), []);
  },
};

function entry(id: string, text: string): OutboxEntry {
  return { id, conversationId: 'here', text, at: 1 };
}

function expectSame(actual: OutboxEntry[], expected: OutboxEntry[]): void {
  const flat = (entries: OutboxEntry[]) =>
    JSON.stringify(entries.map((e) => [e.id, e.conversationId, e.text, e.at, e.refused ?? false]));
  if (flat(actual) !== flat(expected)) throw new Error(`expected ${flat(expected)}, found ${flat(actual)}`);
}
