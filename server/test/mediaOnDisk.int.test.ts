import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDiskMedia } from '../src/adapters/diskMedia.ts';
import { systemClock, systemRandom } from '../src/adapters/system.ts';
import { createHttpServer } from '../src/http/server.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff } from './people.ts';
import { begin, colourOf, finish, png, put, read, sendPicture, workFor } from './pictures.ts';

const PUBLIC_URL = 'http://settee.test';

let root: string;
let server: TestServer;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'settee-media-'));
  const secret = 'a secret for tests, long enough to pass';
  const config = { mediaRoot: root, publicUrl: PUBLIC_URL, secret };
  server = await startTestServer({
    media: await openDiskMedia(config, { clock: systemClock, random: systemRandom }),
  });
});
afterAll(async () => {
  await server.close();
  await rm(root, { recursive: true });
});

test('[MEDIA-01] [K-06] a single gateway without S3 accepts and shows images', async () => {
  const handler = await createStaff(server, 'd-way');
  const { visitor, conversationId } = await createChat(server, 'd-way');
  const jobs = await workFor(server);
  const here = (address: string) => address.replace(PUBLIC_URL, server.url);
  const image = await png();
  const mediaId = randomUUID();
  const { uploadUrl } = (await begin(visitor, conversationId, { mediaId, bytes: image.length })).body;
  expect(uploadUrl).toMatch(new RegExp(`^${PUBLIC_URL}/media/uploads/${conversationId}/[0-9a-f]{32}\\?`));
  expect(await put(here(uploadUrl), image, 'image/gif')).toBe(403);
  expect(await put(here(uploadUrl), image)).toBe(200);
  await expect.poll(async () => (await finish(visitor, conversationId, mediaId)).body.state).toBe('ready');
  expect((await sendPicture(visitor, conversationId, mediaId)).body.seq).toBe(1);
  const { url } = (await read(handler, conversationId, mediaId)).body;
  const answer = await fetch(here(url));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(await colourOf(Buffer.from(await answer.arrayBuffer()))).toBe('red');
  // Nothing of the upload is left.
  await expect.poll(() => readdir(join(root, 'uploads', conversationId))).toEqual([]);
  await jobs.stop();
});

test('[MEDIA-01] a request that does not arrive completely within ten minutes is ended', () => {
  // No request reaches a route.
  const nothing = {} as never;
  expect(createHttpServer(server.app, nothing, (() => {}) as never).server.requestTimeout).toBe(600_000);
});
