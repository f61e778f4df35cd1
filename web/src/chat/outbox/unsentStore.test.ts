import { expect, test } from 'vitest';
import { outboxContract } from '../../../test/contracts.ts';
import { fakeClock } from '../../../test/fakeClock.ts';
import { memoryStorage } from '../../../test/memoryStorage.ts';
import { anUnsent, aStore } from '../../../test/unsent.ts';
import { draftText, noteStored, openDraft } from './draft.ts';
import { memoryOutbox, type Outbox } from './outbox.ts';
import type { UnsentStore } from './unsentStore.ts';

const never = () => new Promise<never>(() => {});
/** A database that never answers, which happens in some browsers. */
const hanging: Outbox = { put: never, mark: never, remove: never, list: never, listAll: never };
const failing = Object.fromEntries(
  Object.keys(hanging).map((name) => [name, () => Promise.reject(new Error('no database'))]),
) as unknown as Outbox;

/** A browser: its pages share the storage and the database, and learn of each other's changes. */
function aBrowser(database = memoryOutbox()) {
  const storage = memoryStorage();
  return { storage, database, open: (whose = 'owner-ana') => aStore({ storage, database, whose }) };
}

const draftOf = (store: UnsentStore, note?: true) => openDraft(store, 'here', note);
const draftsOf = (store: UnsentStore) =>
  store
    .all()
    .filter(({ state }) => state === 'draft')
    .map(({ text }) => text);
const ids = (records: readonly { id: string }[]) => records.map(({ id }) => id);

/** What another window of the browser changed. */
function changeElsewhere(
  store: ReturnType<typeof aStore>,
  storage: Storage,
  key: string,
  value: object | null,
): void {
  const oldValue = storage.getItem(key);
  const newValue = value && JSON.stringify(value);
  if (newValue === null) storage.removeItem(key);
  else storage.setItem(key, newValue);
  store.changedElsewhere({ key, oldValue, newValue });
}

test('[MSG-19] only its writer has a draft, also after a reload', () => {
  const { open } = aBrowser();
  draftOf(open()).write('Hello');
  draftOf(open(), true).write('Careful');
  expect([draftOf(open()).read(), draftOf(open(), true).read()]).toEqual(['Hello', 'Careful']);
  expect(draftsOf(open())).toEqual(['Hello', 'Careful']);
  expect([draftOf(open('owner-ben')).read(), draftOf(open('visitor')).read()]).toEqual(['', '']);
});

test('[MSG-19] without storage a draft lasts as long as the page', () => {
  const storage = {
    length: 0,
    setItem() {
      throw new Error('full');
    },
  } as unknown as Storage;
  const store = aStore({ storage });
  const draft = draftOf(store);
  draft.write('Hello');
  expect([draft.read(), draftText(store, 'here')]).toEqual(['Hello', 'Hello']);
  draft.write('');
  expect(draft.read()).toBe('');
});

test('[MSG-19] a text that is sent leaves the composer and keeps its id; what was typed since stays', async () => {
  const { open, database, storage } = aBrowser();
  const store = open();
  const draft = draftOf(store);
  draft.write('Hello');
  draft.write('Hello and');
  const taken = draft.take('Hello');
  expect([taken, draft.read()]).toMatchObject([{ id: 'n1', text: 'Hello', state: 'queued' }, ' and']);
  // Its page closes: the next one sends it.
  expect(ids(await open().listAll())).toEqual(['n1']);
  if (taken) await store.put(taken);
  expect(ids(await database.listAll())).toEqual(['n1']);
  expect(storage.length).toBe(1);
  expect(draftOf(open()).read()).toBe(' and');
});

test('[MSG-19] a text that cannot be sent returns to the composer, before what was typed since', () => {
  const { open } = aBrowser();
  const draft = draftOf(open());
  draft.write('Sorry');
  const taken = draft.take('Sorry');
  draft.write('and');
  if (taken) draft.putBack(taken);
  expect([draft.read(), draftOf(open()).read()]).toEqual(['Sorry\nand', 'Sorry\nand']);
  expect(draftsOf(open())).toHaveLength(1);
});

test('[MSG-19] a returned reply that is edited is only a draft, also if its page closes before the database knows', async () => {
  const { open, database } = aBrowser();
  const reply = anUnsent('a', { state: 'returned' });
  await database.put(reply);
  const late = aStore({ storage: memoryStorage(), database });
  expect(await late.listAll()).toMatchObject([{ id: 'a', state: 'returned' }]);
  expect(ids(late.all())).toEqual(['a']);

  const store = open();
  await store.mark(reply);
  const hung = aStore({ database: { ...database, remove: never } });
  draftOf(hung).putBack(reply);
  expect(await hung.listAll()).toEqual([]);
  draftOf(store).putBack(reply);
  expect(ids(await open().listAll())).toEqual([]);
  expect([draftOf(open()).read(), ids(await database.listAll())]).toEqual(['a', []]);
  expect(draftOf(store).take('a')?.id).toBe('a');
});

test('[MSG-19] all windows show one draft, and what another one sends leaves this one', () => {
  const { open, storage } = aBrowser();
  const store = open();
  const draft = draftOf(store);
  const key = 'unsent_owner-ana_x_here';
  const x = anUnsent('x', { text: 'Hello', state: 'draft' });
  changeElsewhere(store, storage, key, x);
  expect(draft.read()).toBe('Hello');
  changeElsewhere(store, storage, key, { ...x, text: 'Hello you' });
  expect(draft.read()).toBe('Hello you');
  changeElsewhere(store, storage, key, { ...x, text: 'Hello you', state: 'queued' });
  expect(draft.read()).toBe('');
});

test('[MSG-19] a text that two windows change at once is lost in neither', () => {
  const { open, storage } = aBrowser();
  const store = open();
  const draft = draftOf(store);
  draft.write('Hello');
  const key = 'unsent_owner-ana_n1_here';
  const before = JSON.parse(storage.getItem(key) ?? '') as object;
  draft.write('Hello Ben');
  // The other window had not seen that when it sent what it knew.
  changeElsewhere(store, storage, key, { ...before, state: 'queued' });
  expect(draft.read()).toBe('Hello Ben');
  expect(draft.take('Hello Ben')?.id).toBe('n2');
});

test('[MSG-19] a note that is still being stored is shown when its chat opens again, until it is stored', () => {
  const { open } = aBrowser();
  const store = open();
  const first = draftOf(store, true);
  first.write('Careful');
  const taken = first.take('Careful');
  expect([taken?.id, first.read()]).toEqual(['n1', '']);
  const again = draftOf(store, true);
  expect([again.read(), draftOf(open(), true).read()]).toEqual(['Careful', 'Careful']);
  again.write('Careful now');
  noteStored(store, 'n1');
  expect([again.read(), draftsOf(open())]).toEqual(['Careful now', ['Careful now']]);
  expect(again.take('Careful now')?.id).toBe('n2');
  noteStored(store, 'n2');
  expect(draftsOf(open())).toEqual([]);
});

test('[MSG-19] the same note keeps its id until it is surely stored; another text is another note', () => {
  const draft = draftOf(aBrowser().open(), true);
  const send = (text: string) => {
    draft.write(text);
    const taken = draft.take(text);
    // It is not sure whether it was stored.
    if (taken) draft.putBack(taken);
    return taken?.id;
  };
  expect(['Careful', 'Careful', 'Other', 'Careful'].map(send)).toEqual(['n1', 'n1', 'n2', 'n3']);
});

test('[MSG-16] messages that a closed page left come before those of the next one', async () => {
  const { open, database } = aBrowser();
  const draft = draftOf(open());
  draft.write('one');
  draft.take('one');
  const next = open();
  await next.put(anUnsent('two', { at: 1 }));
  expect((await database.listAll()).map(({ text }) => text)).toEqual(['one', 'two']);
});

test('a late database counts once, with what was stored meanwhile', async () => {
  const clock = fakeClock();
  const slow = memoryOutbox();
  const store = aStore({ clock, database: { ...slow, put: (record) => slow.put(record).then(never) } });
  const put = store.put(anUnsent('one'));
  await clock.pass(2_000);
  await put;
  expect(await store.list('here')).toHaveLength(1);
});

test.each(Object.entries(outboxContract))('with and without the database: %s', async (_, holds) => {
  await holds(aStore());
  await holds(aStore({ database: failing }));
});

test('[MSG-19] what version 0.2.0 left in localStorage is converted once', async () => {
  const { storage, database, open } = aBrowser();
  const set = (key: string, value: unknown) =>
    storage.setItem(key, typeof value === 'string' ? value : JSON.stringify(value));
  const { state: _, ...old } = anUnsent('old');
  set('unsent_owner-ana', [{ ...old, refused: true }]);
  set('draft_ana_a', 'Sent before\nReturned\nand more');
  set('draft_ana_a:message', [
    { id: 's', text: 'Sent before', sending: true },
    { id: 'r', text: 'Returned' },
    { id: 'e', text: 'Edited since' },
  ]);
  set('draft_ana_a:note', 'A note');
  set('draft_ana_a:unsureNote', { id: 'u', text: 'A note' });
  set('draft_ben_a', 'Of Ben');
  set('draft_v', 'Hello\nmore');
  set('draft_v.sending', [{ id: 'h', text: 'Hello' }]);

  const staff = open();
  await staff.listAll();
  expect(openDraft(staff, 'a').read()).toBe('and more');
  expect(openDraft(staff, 'a', true).read()).toBe('A note');
  const states = async (store: UnsentStore) => (await store.listAll()).map(({ id, state }) => [id, state]);
  expect(await states(staff)).toEqual([
    ['old', 'refused'],
    ['s', 'queued'],
    ['r', 'returned'],
  ]);
  for (const { id } of await database.listAll()) await database.remove(id);
  const visitor = aStore({ storage, whose: 'visitor' });
  expect(await states(visitor)).toEqual([['h', 'queued']]);
  expect(openDraft(visitor, 'v').read()).toBe('more');
  const keys = Array.from({ length: storage.length }, (__, at) => storage.key(at) ?? '');
  expect(keys.filter((key) => key.startsWith('draft_'))).toEqual(['draft_ben_a']);
  expect(openDraft(aStore({ storage, database: memoryOutbox() }), 'a').read()).toBe('and more');
});
