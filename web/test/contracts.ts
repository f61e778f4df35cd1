import { expect } from 'vitest';
import type { StoredUpload, UploadStore } from '../src/chat/images/upload/upload.ts';
import type { Unsent } from '../src/chat/model/unsent.ts';
import type { Outbox } from '../src/chat/outbox/outbox.ts';
import { anUnsent } from './unsent.ts';

/** Checks for every outbox: the one in memory, and the one on IndexedDB in a browser. */
export const outboxContract: Record<string, (outbox: Outbox) => Promise<void>> = {
  'lists the stored messages of a conversation in order': async (outbox) => {
    const mine = [entry('c', 'one'), entry('a', 'two'), entry('b', 'three')];
    for (const each of mine) await outbox.put(each);
    await outbox.put({ ...entry('d', 'elsewhere'), conversationId: 'other' });
    expect(flat(await outbox.list('here'))).toEqual(flat(mine));
  },
  'removes only the given message': async (outbox) => {
    await outbox.put(entry('a', 'one'));
    await outbox.put(entry('b', 'two'));
    await outbox.remove('a');
    await outbox.remove('never there');
    expect(flat(await outbox.list('here'))).toEqual(flat([entry('b', 'two')]));
  },
  'lists the messages of all conversations in the order in which they were stored': async (outbox) => {
    const all = [entry('b', 'one'), { ...entry('c', 'two'), conversationId: 'other' }, entry('a', 'three')];
    // At the same time, as when somebody types fast.
    await Promise.all(all.map((each) => outbox.put(each)));
    expect(flat(await outbox.listAll())).toEqual(flat(all));
    await outbox.remove('b');
    await outbox.put(entry('b', 'four'));
    expect(flat(await outbox.listAll())).toEqual(flat([...all.slice(1), entry('b', 'four')]));
  },
  'keeps a refused message in its place and marks it, also when it is queued again': async (outbox) => {
    for (const id of ['a', 'b']) await outbox.put(entry(id, id));
    await outbox.mark({ ...entry('a', 'a'), state: 'refused' });
    expect(flat(await outbox.listAll())).toEqual(
      flat([{ ...entry('a', 'a'), state: 'refused' }, entry('b', 'b')]),
    );
    await outbox.mark(entry('a', 'a'));
    expect(flat(await outbox.listAll())).toEqual(flat([entry('a', 'a'), entry('b', 'b')]));
  },
  'sends a refused message again after all others, and leaves a queued one in its place': async (outbox) => {
    for (const id of ['a', 'b']) await outbox.put(entry(id, id));
    await outbox.mark({ ...entry('a', 'a'), state: 'returned' });
    await outbox.put(entry('a', 'a'));
    await outbox.put(entry('c', 'c'));
    await outbox.put(entry('b', 'b'));
    expect(flat(await outbox.listAll())).toEqual(flat([entry('b', 'b'), entry('a', 'a'), entry('c', 'c')]));
  },
  'lists nothing for a conversation without unsent messages': async (outbox) => {
    expect(flat(await outbox.list('here'))).toEqual(flat([]));
  },
};

const entry = (id: string, text: string): Unsent => anUnsent(id, { text });

/** Without what a database adds. */
const flat = (entries: Unsent[]) =>
  entries.map(({ id, conversationId, text, at, state }) => ({ id, conversationId, text, at, state }));

/** Checks for every upload store: the one in memory, and the one on IndexedDB in a browser. */
export const uploadStoreContract: Record<string, (open: () => UploadStore) => Promise<void>> = {
  'returns the uploads of an earlier page with their bytes, in order, per conversation': async (open) => {
    const page = open();
    const all = [
      aStoredUpload('b', 1),
      aStoredUpload('a', 2),
      { ...aStoredUpload('c', 3), conversationId: 'other' },
    ];
    for (const kept of all) await page.put(kept);
    for (const { id } of all) page.release(id);
    const taken = await untilTaken(open(), 2);
    expect(taken.map((kept) => [kept.id, kept.mediaId, kept.name, kept.width])).toEqual([
      ['b', 'media b', 'b.png', 4],
      ['a', 'media a', 'a.png', 4],
    ]);
    expect(await taken[0]?.file.text()).toEqual('bytes of b');
  },
  'gives an upload to one page only': async (open) => {
    const [page, second] = [open(), open()];
    await page.put(aStoredUpload('a', 1));
    expect((await second.take('here')).length).toEqual(0);
    page.release('a');
    expect((await untilTaken(second, 1)).length).toEqual(1);
    expect((await page.take('here')).length).toEqual(0);
  },
  'gives the uploads of an ended page to the page that waits for them, except removed ones': async (open) => {
    const [page, second, third] = [open(), open(), open()];
    const waiting = new AbortController();
    const left = new AbortController();
    const inherited: string[] = [];
    for (const kept of [aStoredUpload('a', 1), aStoredUpload('b', 2), aStoredUpload('c', 3)])
      await page.put(kept);
    await third.inherit('here', left.signal, ({ id }) => inherited.push(`left ${id}`));
    left.abort();
    await second.inherit('here', waiting.signal, ({ id }) => inherited.push(id));
    await page.remove('a');
    page.release('b');
    await expect.poll(() => inherited).toEqual(['b']);
    waiting.abort();
    page.release('c');
    expect((await untilTaken(third, 1)).map(({ id }) => id)).toEqual(['c']);
    expect(inherited).toEqual(['b']);
  },
  'removes only the given upload': async (open) => {
    const page = open();
    await page.put(aStoredUpload('a', 1));
    await page.put(aStoredUpload('b', 2));
    await page.remove('a');
    await page.remove('never there');
    page.release('b');
    expect((await untilTaken(open(), 1)).map(({ id }) => id)).toEqual(['b']);
  },
};

export function aStoredUpload(id: string, at: number): StoredUpload {
  return {
    id,
    mediaId: `media ${id}`,
    conversationId: 'here',
    name: `${id}.png`,
    type: 'image/png',
    width: 4,
    height: 3,
    at,
    file: new Blob([`bytes of ${id}`]),
  };
}

/** A browser frees a lock shortly after its release. */
async function untilTaken(store: UploadStore, count: number): Promise<StoredUpload[]> {
  const taken: StoredUpload[] = [];
  await expect.poll(async () => taken.push(...(await store.take('here')))).toBe(count);
  return taken;
}
