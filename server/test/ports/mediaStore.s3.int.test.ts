import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { s3Media } from '../../src/adapters/s3Media.ts';
import { systemClock } from '../../src/adapters/system.ts';
import { testMedia, testS3 } from '../testMedia.ts';
import { mediaStoreContract } from './mediaStore.contract.ts';

mediaStoreContract(async () => ({
  storeAt: async (clock) => testMedia(clock),
  locate: (address) => address,
  end: async () => {},
}));

test('a store that accepts connections but never answers times out; signing needs no connection', async () => {
  const silent = createServer();
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  const { port } = silent.address() as { port: number };
  const endpoint = `http://127.0.0.1:${port}`;
  const store = s3Media({ ...testS3(), endpoint, publicEndpoint: endpoint }, systemClock);
  const start = performance.now();
  expect(await store.signUpload('a/b', { type: 'image/png', bytes: 1, seconds: 60 })).toContain(endpoint);
  await expect(store.head('a/b')).rejects.toThrow('timeout');
  expect(performance.now() - start).toBeLessThan(12_000);
  silent.close();
});
