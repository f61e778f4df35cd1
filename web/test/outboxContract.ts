import type { OutboxEntry } from '../src/chat/model/conversationState.ts';
import type { Outbox } from '../src/chat/outbox/outbox.ts';

/** What every outbox promises, as plain checks: run by vitest on the one in memory, in a browser on IndexedDB. */
export const outboxContract: Record<string, (outbox: Outbox) => Promise<void>> = {
  'gives back what was put, in order, per conversation': async (outbox) => {
    const mine = [entry('c', 'one'), entry('a', 'two'), entry('b', 'three')];
    for (const each of mine) await outbox.put(each);
    await outbox.put({ ...entry('d', 'elsewhere'), conversationId: 'other' });
    expectSame(await outbox.list('here'), mine);
  },
  'forgets what was removed, and only that': async (outbox) => {
    await outbox.put(entry('a', 'one'));
    await outbox.put(entry('b', 'two'));
    await outbox.remove('a');
    await outbox.remove('never there');
    expectSame(await outbox.list('here'), [entry('b', 'two')]);
  },
  'gives back all conversations’ messages in the one order in which they were put': async (outbox) => {
    const all = [entry('b', 'one'), { ...entry('c', 'two'), conversationId: 'other' }, entry('a', 'three')];
    // At once, as fast fingers put them.
    await Promise.all(all.map((each) => outbox.put(each)));
    expectSame(await outbox.listAll(), all);
    await outbox.remove('b');
    await outbox.put(entry('b', 'four'));
    expectSame(await outbox.listAll(), [...all.slice(1), entry('b', 'four')]);
  },
  'keeps what was refused in its place, and says so': async (outbox) => {
    for (const id of ['a', 'b']) await outbox.put(entry(id, id));
    await outbox.refuse('a');
    await outbox.refuse('never there');
    expectSame(await outbox.listAll(), [{ ...entry('a', 'a'), refused: true }, entry('b', 'b')]);
  },
  'lets what was refused go again, behind all others': async (outbox) => {
    for (const id of ['a', 'b']) await outbox.put(entry(id, id));
    await outbox.refuse('a');
    await outbox.again('a');
    await outbox.again('never there');
    await outbox.put(entry('c', 'c'));
    expectSame(await outbox.listAll(), [entry('b', 'b'), entry('a', 'a'), entry('c', 'c')]);
  },
  'knows nothing of a conversation without unsent messages': async (outbox) => {
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
