import type { StoredUpload, UploadStore } from '../src/chat/images/upload/uploadStore.ts';

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
    same(
      taken.map((kept) => [kept.id, kept.mediaId, kept.name, kept.width]),
      [
        ['b', 'media b', 'b.png', 4],
        ['a', 'media a', 'a.png', 4],
      ],
    );
    same(await taken[0]?.file.text(), 'bytes of b');
  },
  'gives an upload to one page only': async (open) => {
    const [page, second] = [open(), open()];
    await page.put(aStoredUpload('a', 1));
    same((await second.take('here')).length, 0);
    page.release('a');
    same((await untilTaken(second, 1)).length, 1);
    same((await page.take('here')).length, 0);
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
    for (let tries = 0; inherited.length < 1 && tries < TRIES; tries += 1) await aMoment();
    same(inherited, ['b']);
    waiting.abort();
    page.release('c');
    same(
      (await untilTaken(third, 1)).map(({ id }) => id),
      ['c'],
    );
    same(inherited, ['b']);
  },
  'removes only the given upload': async (open) => {
    const page = open();
    await page.put(aStoredUpload('a', 1));
    await page.put(aStoredUpload('b', 2));
    await page.remove('a');
    await page.remove('never there');
    page.release('b');
    same(
      (await untilTaken(open(), 1)).map(({ id }) => id),
      ['b'],
    );
  },
};

/** Ten seconds, only for tests that hang. */
const TRIES = 500;

function aStoredUpload(id: string, at: number): StoredUpload {
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
  for (let tries = 0; taken.length < count && tries < TRIES; tries += 1) {
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
