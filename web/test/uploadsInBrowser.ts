import { readImageFile } from '../src/chat/images/pick/imageFile.ts';
import { indexedDbUploads } from '../src/chat/images/upload/indexedDbUploads.ts';
import { sweepUploads } from '../src/chat/images/upload/sweepUploads.ts';
import { hasStoredUploads } from '../src/chat/images/upload/uploadMark.ts';
import { putFile } from '../src/net/fileTransfer.ts';
import { uploadStoreContract } from './uploadStoreContract.ts';

/** Holds the browser's own store to one promise of the contract. */
export async function keeps(promise: string): Promise<void> {
  await uploadStoreContract[promise]?.(() => indexedDbUploads('visitor'));
}

/** Whether a page would look for uploads: before, while one is kept, and after it. */
export async function marks(): Promise<boolean[]> {
  const store = indexedDbUploads('visitor');
  const facts = { id: 'a', mediaId: 'm', conversationId: 'here', name: 'a.png', type: 'image/png' as const };
  const marked = [hasStoredUploads('visitor', 'here')];
  await store.put({ ...facts, width: 1, height: 1, at: 1, file: new Blob(['a']) });
  marked.push(hasStoredUploads('visitor', 'here'));
  await store.remove('a');
  marked.push(hasStoredUploads('visitor', 'here'));
  return marked;
}

/** Which of the uploads of two people are left a day later: one of each is a minute younger. */
export async function sweeps(): Promise<string[]> {
  const facts = { mediaId: 'm', conversationId: 'here', name: 'a.png', type: 'image/png' as const };
  const day = 24 * 60 * 60_000;
  const left: string[] = [];
  for (const whose of ['owner-a', 'owner-b']) {
    const store = indexedDbUploads(whose);
    for (const at of [0, 60_000]) {
      const id = `${whose} ${at}`;
      await store.put({ ...facts, id, width: 1, height: 1, at, file: new Blob(['a']) });
      store.release(id);
    }
  }
  await sweepUploads(day + 1);
  for (const whose of ['owner-a', 'owner-b']) {
    left.push(...(await indexedDbUploads(whose).take('here')).map(({ id }) => id));
  }
  return left;
}

/** How bringing so many bytes to an address ends, and the progress on the way. */
export async function puts(
  url: string,
  bytes: number,
  abortAfterMs?: number,
): Promise<{ result: string; progress: number[] }> {
  const progress: number[] = [];
  const stopping = new AbortController();
  if (abortAfterMs !== undefined) setTimeout(() => stopping.abort(), abortAfterMs);
  const result = await putFile(url, new Blob([new Uint8Array(bytes)]), {
    type: 'image/png',
    onProgress: (done) => progress.push(done),
    signal: stopping.signal,
  });
  return { result, progress };
}

/** What the browser makes of a picked file: its type and measures, or what is wrong with it. */
export async function reads(base64: string, name: string, type: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const image = await readImageFile(new File([bytes], name, { type }));
  return typeof image === 'string' ? image : [image.file.name, image.type, image.width, image.height];
}
