import type { StoredUpload, UploadStore } from '../src/chat/images/upload/uploadStore.ts';

/** What every store of uploads promises, as plain checks: run by vitest in memory, in a browser on IndexedDB. */
export const uploadStoreContract: Record<string, (open: () => UploadStore) => Promise<void>> = {
  'gives back what an earlier page left, bytes and all, in order and per conversation': async (open) => {
    const page = open();
    const all = [aKept('b', 1), aKept('a', 2), { ...aKept('c', 3), conversationId: 'other' }];
    for (const kept of all) await page.put(kept);
    for (const { id } of all) page.release(id);
    const taken = await untilTaken(open(), 2);
    same(
      taken.map((kept) => [kept.id, kept.mediaId, kept.name, kept.width]),
      [
        ['b', 'media b', 'b.png', 4],
        ['a', 'media a', 'a.png', 4],
      ],
    );
    same(await taken[0]?.file.text(), 'bytes of b');
  },
  'lets one page alone bring an upload': async (open) => {
    const [page, second] = [open(), open()];
    await page.put(aKept('a', 1));
    same((await second.take('here')).length, 0);
    page.release('a');
    same((await untilTaken(second, 1)).length, 1);
    same((await page.take('here')).length, 0);
  },
  'gives what another page has to who waits for it, once that ends; but nothing that was removed': async (
    open,
  ) => {
    const [page, second, third] = [open(), open(), open()];
    const waiting = new AbortController();
    const left = new AbortController();
    const inherited: string[] = [];
    for (const kept of [aKept('a', 1), aKept('b', 2), aKept('c', 3)]) await page.put(kept);
    await third.inherit('here', left.signal, ({ id }) => inherited.push(`left ${id}`));
    left.abort();
    await second.inherit('here', waiting.signal, ({ id }) => inherited.push(id));
    await page.remove('a');
    page.release('b');
    for (let tries = 0; inherited.length < 1 && tries < 100; tries += 1) await aMoment();
    same(inherited, ['b']);
    waiting.abort();
    page.release('c');
    same(
      (await untilTaken(third, 1)).map(({ id }) => id),
      ['c'],
    );
    same(inherited, ['b']);
  },
  'forgets what was removed, and only that': async (open) => {
    const page = open();
    await page.put(aKept('a', 1));
    await page.put(aKept('b', 2));
    await page.remove('a');
    await page.remove('never there');
    page.release('b');
    same(
      (await untilTaken(open(), 1)).map(({ id }) => id),
      ['b'],
    );
  },
};

function aKept(id: string, at: number): StoredUpload {
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

/** A browser gives a lock back a little after it was let go. */
async function untilTaken(store: UploadStore, count: number): Promise<StoredUpload[]> {
  const taken: StoredUpload[] = [];
  for (let tries = 0; taken.length < count && tries < 100; tries += 1) {
    taken.push(...(await store.take('here')));
    if (taken.length < count) await aMoment();
  }
  return taken;
}

function aMoment(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

function same(actual: unknown, expected: unknown): void {
  const [found, wanted] = [actual, expected].map((value) => JSON.stringify(value));
  if (found !== wanted) throw new Error(`expected ${wanted}, found ${found}`);
}
