import { expect, test } from 'vitest';
import { putFile } from './fileTransfer.ts';

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
