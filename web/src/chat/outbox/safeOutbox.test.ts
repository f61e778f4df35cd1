import { expect, test } from 'vitest';
import { fakeClock } from '../../../test/fakeClock.ts';
import { outboxContract } from '../../../test/outboxContract.ts';
import { memoryOutbox, type Outbox } from './outbox.ts';
import { safeOutbox } from './safeOutbox.ts';

const never = () => new Promise<never>(() => {});

/** A database that never answers, which happens in some browsers. */
const hanging: Outbox = {
  put: never,
  remove: never,
  refuse: never,
  again: never,
  list: never,
  listAll: never,
};

function fakeStorage(): Storage {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as Storage;
}

const entry = (id: string) => ({ id, conversationId: 'c', text: id, at: 0 });

test('what a hanging database does not store within 2 s is stored elsewhere and survives a reload', async () => {
  const clock = fakeClock();
  const storage = fakeStorage();
  const parts = { kept: hanging, storage: () => storage, whose: 'visitor', clock };
  const outbox = safeOutbox(parts);
  let safe = false;
  const put = outbox.put(entry('one')).then(() => {
    safe = true;
  });
  await clock.pass(1_999);
  expect(safe).toBe(false);
  await clock.pass(1);
  await put;
  expect(safe).toBe(true);
  // The next call does not wait that long again.
  const second = outbox.put(entry('two'));
  await clock.pass(100);
  await second;

  const reloaded = safeOutbox(parts);
  const list = reloaded.list('c');
  await clock.pass(2_000);
  expect((await list).map(({ id }) => id)).toEqual(['one', 'two']);
  void reloaded.remove('one');
  const rest = reloaded.listAll();
  await clock.pass(2_000);
  expect((await rest).map(({ id }) => id)).toEqual(['two']);
});

test('a late database counts once, with what was stored meanwhile', async () => {
  const clock = fakeClock();
  const slow = memoryOutbox();
  const kept = { ...slow, put: (e: Parameters<Outbox['put']>[0]) => slow.put(e).then(never) };
  const outbox = safeOutbox({ kept, storage: fakeStorage, whose: 'visitor', clock });
  const put = outbox.put(entry('one'));
  await clock.pass(2_000);
  await put;
  expect(await outbox.list('c')).toHaveLength(1);
});

test.each(Object.entries(outboxContract))('with and without the database: %s', async (_, holds) => {
  const storage = fakeStorage();
  await holds(
    safeOutbox({ kept: memoryOutbox(), storage: () => storage, whose: 'visitor', clock: fakeClock() }),
  );
  const failing = Object.fromEntries(
    Object.keys(hanging).map((name) => [name, () => Promise.reject(new Error('no database'))]),
  ) as unknown as Outbox;
  await holds(safeOutbox({ kept: failing, storage: () => storage, whose: 'visitor', clock: fakeClock() }));
});
