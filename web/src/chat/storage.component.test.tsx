import { expect, test } from 'vitest';
import { aStoredUpload, outboxContract, uploadStoreContract } from '../../test/contracts.ts';
import { anUnsent } from '../../test/unsent.ts';
import { putFile } from '../net/fileTransfer.ts';
import { indexedDbUploads } from './images/upload/indexedDbUploads.ts';
import { sweepUploads } from './images/upload/sweepUploads.ts';
import { hasStoredUploads } from './images/upload/uploadMark.ts';
import type { Unsent } from './model/unsent.ts';
import { indexedDbOutbox } from './outbox/indexedDbOutbox.ts';

/** Each test has its own, empty database. */
const someone = () => crypto.randomUUID();

test.each(Object.entries(outboxContract))('the outbox in IndexedDB %s', (_, holds) =>
  holds(indexedDbOutbox(someone())),
);

test('the outbox in IndexedDB keeps one order for all tabs', async () => {
  const whose = someone();
  const [one, other] = [indexedDbOutbox(whose), indexedDbOutbox(whose)];
  const put = (id: string, tab = one) => tab.put(anUnsent(id));
  await put('z');
  await put('y', other);
  await put('x');
  const third = indexedDbOutbox(whose);
  expect((await third.listAll()).map(({ id }) => id)).toEqual(['z', 'y', 'x']);
});

test('[MSG-16] what version 0.2.0 left in the database is queued or refused', async () => {
  const whose = someone();
  const outbox = indexedDbOutbox(whose);
  const { state: _, ...old } = anUnsent('old');
  await outbox.put(old as Unsent);
  await outbox.put({ ...old, id: 'refused', refused: true } as unknown as Unsent);
  expect((await outbox.listAll()).map(({ id, state }) => [id, state])).toEqual([
    ['old', 'queued'],
    ['refused', 'refused'],
  ]);
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
  await store.put(aStoredUpload('a', 1));
  expect(hasStoredUploads(whose, 'here')).toBe(true);
  await store.remove('a');
  expect(hasStoredUploads(whose, 'here')).toBe(false);
});

test('[MEDIA-03] uploads older than a day are removed, those of every user of this browser', async () => {
  const day = 24 * 60 * 60_000;
  const everyone = [someone(), someone()];
  for (const whose of everyone) {
    const store = indexedDbUploads(whose);
    for (const upload of [aStoredUpload('old', 0), aStoredUpload('young', 60_000)]) {
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

const BYTES = 1_000;

async function put(url: string, signal = new AbortController().signal) {
  const progress: number[] = [];
  const onProgress = (done: number) => progress.push(done);
  const result = await putFile(url, new Blob([new Uint8Array(BYTES)]), {
    type: 'image/png',
    onProgress,
    signal,
  });
  return { result, progress };
}

// The server of the tests has no such address. It answers 404 after it received the bytes.
test('[L-06] a real connection reports the bytes that were sent, and a refusal', async () => {
  const { result, progress } = await put('/store/nowhere');
  expect(result).toBe('refused');
  expect(progress).toContain(BYTES);
});

test('[L-06] a server that cannot be reached and an upload that is cancelled end as lost', async () => {
  // No server listens on this port.
  expect((await put('http://127.0.0.1:1/store')).result).toBe('lost');
  const cancelled = new AbortController();
  const putting = put('/store/nowhere', cancelled.signal);
  cancelled.abort();
  expect((await putting).result).toBe('lost');
});
