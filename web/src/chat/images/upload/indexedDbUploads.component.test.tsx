import { expect, test } from 'vitest';
import { uploadStoreContract } from '../../../../test/uploadStoreContract.ts';
import { indexedDbUploads } from './indexedDbUploads.ts';
import { sweepUploads } from './sweepUploads.ts';
import { hasStoredUploads } from './uploadMark.ts';
import type { StoredUpload } from './uploadStore.ts';

/** Each test has its own, empty databases. */
const someone = () => crypto.randomUUID();

const anUpload = (id: string, at: number): StoredUpload => ({
  id,
  mediaId: 'm',
  conversationId: 'here',
  name: 'a.png',
  type: 'image/png',
  width: 1,
  height: 1,
  at,
  file: new Blob(['a']),
});

test.each(Object.entries(uploadStoreContract))(
  '[MEDIA-03] uploads in IndexedDB keep the contract: %s',
  (_, holds) => {
    const whose = someone();
    return holds(() => indexedDbUploads(whose));
  },
);

test('[MEDIA-03] a stored upload leaves a mark, so that the next page resumes it', async () => {
  const whose = someone();
  const store = indexedDbUploads(whose);
  expect(hasStoredUploads(whose, 'here')).toBe(false);
  await store.put(anUpload('a', 1));
  expect(hasStoredUploads(whose, 'here')).toBe(true);
  await store.remove('a');
  expect(hasStoredUploads(whose, 'here')).toBe(false);
});

test('[MEDIA-03] an upload that is stored while a page looks for earlier ones keeps its mark', async () => {
  const whose = someone();
  const store = indexedDbUploads(whose);
  await Promise.all([store.take('here'), store.put(anUpload('a', 1))]);
  expect(hasStoredUploads(whose, 'here')).toBe(true);
  await Promise.all([store.remove('a'), store.put(anUpload('b', 2))]);
  expect(hasStoredUploads(whose, 'here')).toBe(true);
});

test('[MEDIA-03] uploads older than a day are removed, those of every user of this browser', async () => {
  const day = 24 * 60 * 60_000;
  const everyone = [someone(), someone()];
  for (const whose of everyone) {
    const store = indexedDbUploads(whose);
    for (const upload of [anUpload('old', 0), anUpload('young', 60_000)]) {
      await store.put(upload);
      store.release(upload.id);
    }
  }
  await sweepUploads(day + 1);
  for (const whose of everyone) {
    // A browser releases a lock a little after the call.
    await expect
      .poll(async () => (await indexedDbUploads(whose).take('here')).map(({ id }) => id))
      .toEqual(['young']);
  }
});
