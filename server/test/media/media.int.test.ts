import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { openDiskMedia } from '../../src/media/diskMedia.adapter.ts';
import { systemClock, systemRandom } from '../../src/platform/adapters/system.ts';
import { createHttpServer } from '../../src/platform/http/server.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { createChat, createStaff, watchAs } from '../support/people.ts';
import {
  BLUE,
  begin,
  colourOf,
  finish,
  mediaRow,
  png,
  put,
  RED,
  read,
  readPicture,
  sendPicture,
  stage,
  upload,
  workFor,
} from '../support/pictures.ts';

let server: TestServer;
let jobs: Jobs;
beforeAll(async () => {
  server = await startTestServer();
  jobs = await workFor(server);
});
afterAll(async () => {
  await jobs.stop();
  await server.close();
});

test('[MEDIA-09] a second upload to the same address changes nothing that is shown', async () => {
  const { visitor, conversationId } = await createChat(server, 'm-second');
  const [red, blue] = [await png(RED, 40, 40), await png(BLUE, 40, 40)];
  expect(blue.length).toBe(red.length);
  const { mediaId, uploadUrl } = await stage(visitor, conversationId, { image: red });
  await expect.poll(async () => (await finish(visitor, conversationId, mediaId)).body.state).toBe('ready');
  const before = await mediaRow(server, mediaId);
  expect(await put(uploadUrl, blue)).toBe(200);
  expect((await finish(visitor, conversationId, mediaId)).body.state).toBe('ready');
  await sendPicture(visitor, conversationId, mediaId);
  expect(await put(uploadUrl, blue)).toBe(200);
  expect(await colourOf((await readPicture(visitor, conversationId, mediaId)).bytes)).toBe('red');
  expect(await mediaRow(server, mediaId)).toMatchObject({ path: before.path, state: 'ready' });
  // A late upload is removed by the job that was added for it.
  const { rows } = await server.app.db.pool.query(
    `select run_at > now() + interval '30 minutes' as later, payload from graphile_worker._private_jobs
     where payload::text like '%' || $1 || '%'`,
    [before.staged_path],
  );
  expect(rows).toEqual([{ later: true, payload: { paths: [before.staged_path] } }]);
  await server.app.db.pool.query(
    `select graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) from graphile_worker._private_jobs
     where payload::text like '%' || $1 || '%'`,
    [before.staged_path],
  );
  await expect.poll(() => server.app.media.head(before.staged_path)).toBeUndefined();
  expect(await colourOf((await readPicture(visitor, conversationId, mediaId)).bytes)).toBe('red');
});

test('[MEDIA-03] the same id is the same upload; once it is further it needs no address', async () => {
  const { visitor, conversationId } = await createChat(server, 'm-again');
  const image = await png();
  const file = { mediaId: randomUUID(), bytes: image.length };
  const first = await begin(visitor, conversationId, file);
  expect(first.body.expiresAt - Date.now()).toBeGreaterThan(500_000);
  const second = await begin(visitor, conversationId, file);
  const place = ({ body }: typeof first) => new URL(body.uploadUrl).pathname;
  expect(place(second)).toBe(place(first));
  expect(place(first)).toMatch(new RegExp(`/uploads/${conversationId}/[0-9a-f]{32}$`));
  for (const other of [{ bytes: image.length + 1 }, { type: 'image/gif' }]) {
    const reply = await begin(visitor, conversationId, { ...file, ...other });
    expect([reply.status, reply.body.code]).toEqual([409, 'id_reused']);
  }
  expect(await put(second.body.uploadUrl, image)).toBe(200);
  await expect
    .poll(async () => (await finish(visitor, conversationId, file.mediaId)).body.state)
    .toBe('ready');
  expect((await begin(visitor, conversationId, file)).body).toMatchObject({ success: true, uploadUrl: null });
});

test('[MEDIA-03] a missing file, or one that differs from its announcement, stays uploading', async () => {
  const { visitor, conversationId } = await createChat(server, 'm-early');
  const image = await png();
  const mediaId = randomUUID();
  const { uploadUrl } = (await begin(visitor, conversationId, { mediaId, bytes: image.length })).body;
  const state = async () => (await finish(visitor, conversationId, mediaId)).body;
  expect(await state()).toEqual({ success: true, state: 'uploading', media: null });
  const { staged_path: place } = await mediaRow(server, mediaId);
  for (const [bytes, type] of [
    [image.subarray(1), 'image/png'],
    [Buffer.concat([image, image]), 'image/png'],
    [image, 'image/gif'],
  ] as const) {
    await server.app.media.put(place, bytes, type);
    expect((await state()).state).toBe('uploading');
  }
  expect((await read(visitor, conversationId, mediaId)).status).toBe(404);
  expect((await sendPicture(visitor, conversationId, mediaId)).body.code).toBe('media_refused');
  expect(await put(uploadUrl, image)).toBe(200);
  await expect.poll(async () => (await state()).state).toBe('ready');
});

test('[MEDIA-09] a file that is no image is refused, and can be neither read nor sent', async () => {
  const { visitor, conversationId } = await createChat(server, 'm-no');
  const { mediaId } = await stage(visitor, conversationId, {
    image: Buffer.from('<script>alert(1)</script>'),
  });
  await expect
    .poll(async () => (await finish(visitor, conversationId, mediaId)).body)
    .toEqual({ success: true, state: 'refused', media: null });
  const { staged_path: stagedPath, path } = await mediaRow(server, mediaId);
  for (const place of [stagedPath, path])
    await expect.poll(() => server.app.media.head(place)).toBeUndefined();
  expect((await read(visitor, conversationId, mediaId)).status).toBe(404);
  const sent = await sendPicture(visitor, conversationId, mediaId);
  expect([sent.status, sent.body.code, sent.body.error]).toEqual([
    422,
    'media_refused',
    'This image cannot be sent',
  ]);
});

test('[PRIVACY-15] the visitor sees no file name and no path of the staff’s; a name is cleaned', async () => {
  const handler = await createStaff(server, 'm-name');
  const { visitor, conversationId } = await createChat(server, 'm-name');
  const { socket: seat } = await watchAs(visitor, conversationId);
  const secret = 'anna-of-the-night-shift';
  const mediaId = await upload(handler, conversationId, { fileName: `C:\\Users\\anna\\${secret}.png` });
  await sendPicture(handler, conversationId, mediaId);
  const received = await seat.next('message');
  expect(received.message.fileName).toBe('image.png');
  const all = [
    JSON.stringify(seat.received),
    JSON.stringify(received),
    JSON.stringify((await visitor.call('GET', `/conversations/${conversationId}/messages`)).body),
    JSON.stringify((await read(visitor, conversationId, mediaId)).body),
  ];
  const { author_id: staffId } = await mediaRow(server, mediaId);
  for (const text of all)
    for (const word of [secret, 'anna', 'm-name', staffId]) expect(text).not.toContain(word);
  // Not even the database contains it.
  expect(JSON.stringify(await mediaRow(server, mediaId))).not.toContain(secret);

  const mine = await upload(visitor, conversationId, { fileName: '../../a/b\u202Egnp.tac' });
  expect((await finish(visitor, conversationId, mine)).body.media.fileName).toBe('bgnp.png');
  const nameless = await upload(visitor, conversationId, { fileName: '' });
  expect((await finish(visitor, conversationId, nameless)).body.media.fileName).toBe('image.png');
  seat.close();
});

test('[MEDIA-03] an image belongs to one message: repeated, reused and raced', async () => {
  const { visitor, conversationId } = await createChat(server, 'm-once');
  const [one, two] = [await upload(visitor, conversationId), await upload(visitor, conversationId)];
  const id = randomUUID();
  const first = await sendPicture(visitor, conversationId, one, id);
  expect(first.body.seq).toBe(1);
  expect((await sendPicture(visitor, conversationId, one, id)).body).toEqual(first.body);
  const reused = await sendPicture(visitor, conversationId, two, id);
  expect([reused.status, reused.body.code]).toEqual([409, 'id_reused']);
  const words = await visitor.call('POST', `/conversations/${conversationId}/messages`, {
    id,
    text: 'words',
  });
  expect([words.status, words.body.code]).toEqual([409, 'id_reused']);
  const taken = await sendPicture(visitor, conversationId, one);
  expect([taken.status, taken.body.code]).toEqual([422, 'media_refused']);

  const raced = await Promise.all(Array.from({ length: 6 }, () => sendPicture(visitor, conversationId, two)));
  expect(raced.filter(({ body }) => body.success).map(({ body }) => body.seq)).toEqual([2]);
  expect(raced.filter(({ body }) => body.code === 'media_refused')).toHaveLength(5);
  const { messages, head } = (await visitor.call('GET', `/conversations/${conversationId}/messages`)).body;
  expect([messages.length, head]).toEqual([2, 2]);
});

test('[MEDIA-03] a withdrawn image is gone and cannot be sent; a sent one cannot be withdrawn', async () => {
  const { visitor, conversationId } = await createChat(server, 'm-back');
  const path = (mediaId: string) => `/conversations/${conversationId}/media/${mediaId}`;
  const ready = await upload(visitor, conversationId);
  const row = await mediaRow(server, ready);
  for (const _ of [1, 2]) expect((await visitor.call('DELETE', path(ready))).body).toEqual({ success: true });
  await expect.poll(() => server.app.media.head(row.path)).toBeUndefined();
  expect((await read(visitor, conversationId, ready)).status).toBe(404);
  expect((await sendPicture(visitor, conversationId, ready)).body.code).toBe('media_refused');
  expect((await finish(visitor, conversationId, ready)).body.state).toBe('refused');

  const { mediaId } = await stage(visitor, conversationId, { image: await png() });
  const { staged_path: staged } = await mediaRow(server, mediaId);
  await visitor.call('DELETE', path(mediaId));
  await expect.poll(() => server.app.media.head(staged)).toBeUndefined();

  const sent = await upload(visitor, conversationId);
  await sendPicture(visitor, conversationId, sent);
  const late = await visitor.call('DELETE', path(sent));
  expect([late.status, late.body.error]).toEqual([400, 'A message carries this image']);
  expect(await colourOf((await readPicture(visitor, conversationId, sent)).bytes)).toBe('red');
});

test('[C-04] the largest allowed image is accepted, and one byte more is not', async () => {
  const { visitor, conversationId } = await createChat(server, 'm-large');
  expect((await begin(visitor, conversationId, { bytes: IMAGE_MAX_BYTES - 1 })).status).toBe(200);
  for (const bytes of [0, IMAGE_MAX_BYTES, IMAGE_MAX_BYTES + 1]) {
    const reply = await begin(visitor, conversationId, { bytes });
    expect([reply.status, reply.body]).toEqual([
      413,
      { success: false, code: 'image_size', error: 'File size must be less than 10MB' },
    ]);
  }
});

test('[MEDIA-01] [K-06] a single gateway without S3 accepts and shows images', async () => {
  const root = await mkdtemp(join(tmpdir(), 'settee-media-'));
  const publicUrl = 'http://settee.test';
  const secret = 'a secret for tests, long enough to pass';
  const onDisk = await startTestServer({
    media: await openDiskMedia(
      { mediaRoot: root, publicUrl, secret },
      { clock: systemClock, random: systemRandom },
    ),
  });
  const handler = await createStaff(onDisk, 'd-way');
  const { visitor, conversationId } = await createChat(onDisk, 'd-way');
  const own = await workFor(onDisk);
  const here = (address: string) => address.replace(publicUrl, onDisk.url);
  const image = await png();
  const mediaId = randomUUID();
  const { uploadUrl } = (await begin(visitor, conversationId, { mediaId, bytes: image.length })).body;
  expect(uploadUrl).toMatch(new RegExp(`^${publicUrl}/media/uploads/${conversationId}/[0-9a-f]{32}\\?`));
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
  await own.stop();
  await onDisk.close();
  await rm(root, { recursive: true });
});

test('[MEDIA-01] a request that does not arrive within ten minutes is ended, and headers have half a minute', () => {
  // No request reaches a route.
  const nothing = { unknown: () => {} } as never;
  const limits = { requestTimeout: 600_000, headersTimeout: 30_000 };
  expect(createHttpServer(server.app, nothing).server).toMatchObject(limits);
});
