import { randomUUID } from 'node:crypto';
import { IMAGES_PER_DAY } from '@settee/protocol/model/media';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accessTo } from '../../src/access/access.ts';
import { startJobs } from '../../src/jobs/jobs.ts';
import { processMedia } from '../../src/media/processMedia.ts';
import { s3Media } from '../../src/media/s3Media.adapter.ts';
import { sweepMedia } from '../../src/media/sweepMedia.ts';
import { finishUpload } from '../../src/media/uploads.ts';
import { systemClock } from '../../src/platform/adapters/system.ts';
import type { MediaStore } from '../../src/platform/ports/ports.ts';
import { callerFromIdToken } from '../../src/staff/callers.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { inParallel } from '../support/inParallel.ts';
import { openTransaction } from '../support/openTransaction.ts';
import { createChat, createStaff, type Person, watchAs } from '../support/people.ts';
import {
  begin,
  colourOf,
  finish,
  mediaRow,
  PNG,
  png,
  put,
  read,
  readPicture,
  sendPicture,
  stage,
  workFor,
} from '../support/pictures.ts';
import { soon } from '../support/soon.ts';
import { testMedia, testS3 } from '../support/testMedia.ts';

// No worker runs: each test runs its jobs itself.
let server: TestServer;
let handler: Person;
let visitor: Person;
let conversationId: string;
beforeAll(async () => {
  server = await startTestServer();
  handler = await createStaff(server, 'j-desk');
  ({ visitor, conversationId } = await createChat(server, 'j-desk'));
});
afterAll(() => server.close());

/** Nothing listens here. */
const AWAY = 'http://127.0.0.1:1';
const down = () => s3Media({ ...testS3(), endpoint: AWAY, publicEndpoint: AWAY }, systemClock);

function parts(store: Partial<MediaStore> = {}) {
  const { db, media, log } = server.app;
  return { db, media: { ...media, ...store }, clock: systemClock, log };
}

/** Uploads an image and reports it as complete, which adds a job. */
async function working(image: Uint8Array, owner = visitor, where = conversationId) {
  const staged = await stage(owner, where, { image });
  await findWorking(staged.mediaId, owner, where);
  return staged;
}

/** Completes the upload without waiting for the result. */
async function findWorking(mediaId: string, owner = visitor, where = conversationId): Promise<void> {
  const { caller } = await callerFromIdToken(server.app, owner.browser.token);
  const access = await accessTo(server.app, caller, where);
  const answer = await finishUpload(server.app, access, mediaId, AbortSignal.abort());
  expect(answer).toEqual({ state: 'working', media: null });
}

async function age(mediaId: string, hours: number): Promise<void> {
  await server.app.db.pool.query(
    'update media set created_at = now() - make_interval(hours => $2) where id = $1',
    [mediaId, hours],
  );
}

async function jobsFor(mediaId: string): Promise<{ key: string | null; locked: boolean }[]> {
  const { rows } = await server.app.db.pool.query(
    `select key, locked_at is not null as locked from graphile_worker._private_jobs
     where payload ->> 'mediaId' = $1 order by id`,
    [mediaId],
  );
  return rows;
}

async function removalsOf(path: string | undefined): Promise<unknown[]> {
  const { rows } = await server.app.db.pool.query(
    `select id from graphile_worker._private_jobs where payload::jsonb -> 'paths' = jsonb_build_array($1::text)`,
    [path],
  );
  return rows;
}

test('[MEDIA-03] a waiting sender is answered within seconds, and a sender who left is not waited for', async () => {
  const { mediaId } = await stage(visitor, conversationId, { image: await png() });
  const { caller } = await callerFromIdToken(server.app, visitor.browser.token);
  const access = await accessTo(server.app, caller, conversationId);
  // Only the test moves this clock: no time passes until the sender has left.
  const clock = fakeClock();
  const app = { ...server.app, clock };
  const gone = new AbortController();
  const left = finishUpload(app, access, mediaId, gone.signal);
  await expect.poll(async () => (await mediaRow(server, mediaId)).state).toBe('working');
  gone.abort();
  expect((await left).state).toBe('working');
  const asked = clock.now();
  let answer: string | undefined;
  void finishUpload(app, access, mediaId, new AbortController().signal).then(({ state }) => {
    answer = state;
  });
  const later = () => {
    clock.advance(100);
    return answer;
  };
  await expect.poll(later, { interval: 5 }).toBe('working');
  expect(clock.now() - asked).toBeGreaterThanOrEqual(8_000);
  // A repeated request adds no second job.
  expect(await jobsFor(mediaId)).toEqual([{ key: `processMedia ${mediaId}`, locked: false }]);
});

test('[MEDIA-03] a job may run twice, and may die anywhere', async () => {
  const dying = () => Promise.reject(new Error('died'));
  const { media } = server.app;
  const places: string[] = [];
  const noting = async (path: string, body: Uint8Array, type: string) => {
    places.push(path);
    await media.put(path, body, type);
  };
  const deaths: Record<string, ReturnType<typeof parts> & { reencode?: () => Promise<never> }> = {
    'before reading': parts({ get: dying }),
    'in the picture': { ...parts(), reencode: dying },
    'before writing': parts({ put: dying }),
    'after writing': parts({ put: (...all) => noting(...all).then(dying) }),
    'before the staged one goes': parts({
      put: noting,
      remove: (path) => (path.startsWith('uploads/') ? dying() : media.remove(path)),
    }),
  };
  for (const [when, each] of Object.entries(deaths)) {
    places.length = 0;
    const { mediaId } = await working(await png());
    await expect(processMedia(each, mediaId), when).rejects.toThrow('died');
    for (const _ of ['again', 'and again']) await processMedia(parts(), mediaId);
    const row = await mediaRow(server, mediaId);
    expect([when, row.state]).toEqual([when, 'ready']);
    expect(await media.head(row.staged_path)).toBeUndefined();
    expect(await colourOf((await readPicture(visitor, conversationId, mediaId)).bytes)).toBe('red');
    // Nothing is left of the failed run.
    for (const place of places) {
      if (place !== row.path) expect([when, await media.head(place)]).toEqual([when, undefined]);
    }
  }
});

test('[MEDIA-03] a failed job is tried again; a file that always fails is refused', async () => {
  const dies = async () => ({ ok: false, reason: 'died', retryable: true }) as const;
  const state = async (mediaId: string) => (await mediaRow(server, mediaId)).state;
  const unlucky = await working(await png());
  for (const _ of ['first', 'second']) {
    await expect(processMedia({ ...parts(), reencode: dies }, unlucky.mediaId)).rejects.toThrow('died');
    expect(await state(unlucky.mediaId)).toBe('working');
  }
  // An unreachable store does not use up an attempt.
  await expect(processMedia(parts(down()), unlucky.mediaId)).rejects.toThrow();
  await processMedia(parts(), unlucky.mediaId);
  expect(await state(unlucky.mediaId)).toBe('ready');

  const harmful = await working(await png());
  for (const _ of ['first', 'second'])
    await expect(processMedia({ ...parts(), reencode: dies }, harmful.mediaId)).rejects.toThrow('died');
  await processMedia({ ...parts(), reencode: dies }, harmful.mediaId);
  expect(await state(harmful.mediaId)).toBe('refused');
  expect(await server.app.media.head((await mediaRow(server, harmful.mediaId)).staged_path)).toBeUndefined();
});

test('[MEDIA-03] an image withdrawn during its job leaves nothing', async () => {
  const { media } = server.app;
  const { mediaId } = await working(await png());
  let place = '';
  await processMedia(
    parts({
      async put(path, body, type) {
        place = path;
        await media.put(path, body, type);
        await visitor.call('DELETE', `/conversations/${conversationId}/media/${mediaId}`);
      },
    }),
    mediaId,
  );
  const row = await mediaRow(server, mediaId);
  expect(row.state).toBe('refused');
  for (const path of [place, row.path, row.staged_path]) expect(await media.head(path)).toBeUndefined();
});

test('[MEDIA-08] after a day an image without a message is deleted, with its bytes; the rest stays', async () => {
  const { media } = server.app;
  const made = async (state: 'uploading' | 'working' | 'ready') => {
    const { mediaId } = await (state === 'uploading'
      ? stage(visitor, conversationId, { image: await png() })
      : working(await png()));
    if (state === 'ready') await processMedia(parts(), mediaId);
    return mediaId;
  };
  const old = [await made('uploading'), await made('working'), await made('ready')];
  const young = [await made('uploading'), await made('working'), await made('ready')];
  const sent = await made('ready');
  await sendPicture(visitor, conversationId, sent);
  for (const id of [...old, sent]) await age(id, 25);
  for (const id of young) await age(id, 23);
  const places = await Promise.all(
    old.map(async (id) => {
      const row = await mediaRow(server, id);
      return [row.staged_path, row.path];
    }),
  );
  // The store does not answer: nothing is lost, but nothing can be sent any more. Each attempt adds no more work.
  for (const _ of ['first', 'second']) await expect(sweepMedia(parts(down()))).rejects.toThrow();
  for (const [staged] of places) expect(await removalsOf(staged)).toHaveLength(1);
  const ready = old[2] ?? '';
  expect((await sendPicture(visitor, conversationId, ready)).body.code).toBe('media_refused');
  expect((await read(visitor, conversationId, ready)).status).toBe(404);
  expect(await mediaRow(server, ready)).toMatchObject({ state: 'refused' });

  const jobs = await workFor(server);
  await server.app.db.pool.query(`select graphile_worker.add_job('sweepMedia')`);
  for (const id of old) await expect.poll(() => mediaRow(server, id)).toBeUndefined();
  await jobs.stop();
  for (const place of places.flat()) expect([place, await media.head(place)]).toEqual([place, undefined]);
  for (const id of young) expect(await mediaRow(server, id)).toBeDefined();
  expect(await colourOf((await readPicture(visitor, conversationId, sent)).bytes)).toBe('red');
  expect(await sweepMedia(parts())).toBe(0);
});

test('[MEDIA-08] a message sent during the sweep keeps its image, or is refused', async () => {
  const { mediaId } = await working(await png());
  await processMedia(parts(), mediaId);
  await age(mediaId, 25);
  // A send that locks the row, as the append does until its commit.
  const sending = await openTransaction(server);
  await sending.query('select 1 from media where id = $1 for update', [mediaId]);
  expect(await sweepMedia(parts())).toBe(0);
  await sending.query('update media set message_id = gen_random_uuid() where id = $1', [mediaId]);
  await sending.commit();
  expect(await sweepMedia(parts())).toBe(0);
  expect((await read(visitor, conversationId, mediaId)).status).toBe(200);
});

test('[MEDIA-05] without object storage text continues, an upload starts, and finishing it is retried', async () => {
  const { app } = server;
  const store = app.media;
  const chat = await createChat(server, 'j-desk');
  const image = await png();
  const mediaId = randomUUID();
  const file = { mediaId, bytes: image.length };
  const path = `/conversations/${chat.conversationId}`;
  app.media = down();
  const begun = await begin(chat.visitor, chat.conversationId, file);
  expect(begun.body.uploadUrl).toContain(AWAY);
  const refused = await finish(chat.visitor, chat.conversationId, mediaId);
  expect([refused.status, refused.body.code]).toEqual([503, 'unavailable']);
  const words = await chat.visitor.call('POST', `${path}/messages`, { id: randomUUID(), text: 'hello' });
  expect(words.body).toMatchObject({ success: true, seq: 1 });
  app.media = store;

  // The store works again, and the same upload continues.
  const again = await begin(chat.visitor, chat.conversationId, file);
  expect(await put(again.body.uploadUrl, image)).toBe(200);
  const staged = await working(image, chat.visitor, chat.conversationId);
  await expect(processMedia(parts(down()), staged.mediaId)).rejects.toThrow();
  expect((await mediaRow(server, staged.mediaId)).state).toBe('working');
  app.media = down();
  const other = randomUUID();
  await begin(chat.visitor, chat.conversationId, { mediaId: other, bytes: 10 });
  expect((await chat.visitor.call('DELETE', `${path}/media/${other}`)).status).toBe(200);
  app.media = store;
  await processMedia(parts(), staged.mediaId);
  expect(await colourOf((await readPicture(chat.visitor, chat.conversationId, staged.mediaId)).bytes)).toBe(
    'red',
  );
});

/** As if a worker had processed it. */
async function makeReady(mediaId: string): Promise<void> {
  const { path } = await mediaRow(server, mediaId);
  await server.app.media.put(path, await png(), PNG);
  await server.app.db.pool.query(
    `update media set state = 'ready', media_type = $2, bytes = 1, width = 1, height = 1, thumbhash = 'x' where id = $1`,
    [mediaId, PNG],
  );
}

test('[C-03] any other type is refused with the specification’s text', async () => {
  const { visitor, conversationId } = await createChat(server, 'j-desk');
  for (const type of ['image/svg+xml', 'image/avif', 'text/html', 'IMAGE/PNG', '']) {
    const { status, body } = await begin(visitor, conversationId, { type, bytes: 10 });
    expect([status, body]).toEqual([
      415,
      {
        success: false,
        code: 'image_type',
        error: 'Please select a valid image file (JPEG, PNG, GIF, or WebP)',
      },
    ]);
  }
  for (const type of ['image/jpeg', 'image/png', 'image/gif', 'image/webp'])
    expect((await begin(visitor, conversationId, { type, bytes: 10 })).status).toBe(200);
});

test('[MEDIA-01] nobody can read a staged file; [MEDIA-09] an address for reading expires', async () => {
  const { visitor, conversationId } = await createChat(server, 'j-desk');
  const { mediaId, uploadUrl } = await stage(visitor, conversationId, { image: await png() });
  expect((await read(visitor, conversationId, mediaId)).status).toBe(404);
  expect(await put(uploadUrl, Buffer.alloc(0), PNG, 'GET')).toBe(403);
  await makeReady(mediaId);
  const { body } = await read(visitor, conversationId, mediaId);
  expect(body.expiresAt - Date.now()).toBeGreaterThan(250_000);
  expect(body.expiresAt - Date.now()).toBeLessThan(310_000);
  expect((await fetch(body.url)).status).toBe(200);
  expect(await put(body.url, await png())).toBe(403);
  const store = server.app.media;
  server.app.media = testMedia({ ...systemClock, now: () => Date.now() - 301_000 });
  const ended = (await read(visitor, conversationId, mediaId)).body.url;
  server.app.media = store;
  expect((await fetch(ended)).status).toBe(403);
});

test('[D-02] [MEDIA-01] images and text sent together are stored in that order, with their fields', async () => {
  const { visitor, conversationId } = await createChat(server, 'j-desk');
  const { socket: desk } = await watchAs(handler, conversationId);
  const { socket: seat } = await watchAs(visitor, conversationId);
  const sent: string[] = [];
  for (let turn = 0; turn < 2; turn++) {
    const images = [randomUUID(), randomUUID()];
    for (const mediaId of images) {
      expect((await begin(visitor, conversationId, { mediaId, bytes: 100 })).status).toBe(200);
      await makeReady(mediaId);
    }
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const [first = '', second = ''] = images;
    seat.send({ type: 'sendMedia', conversationId, id: ids[0] ?? '', mediaId: first });
    seat.send({ type: 'send', conversationId, id: ids[1] ?? '', text: 'between' });
    seat.send({ type: 'sendMedia', conversationId, id: ids[2] ?? '', mediaId: second });
    for (const [at, id] of ids.entries()) {
      expect(await seat.next('ack')).toMatchObject({ id, seq: sent.length + at + 1 });
      const { message } = await desk.next('message');
      expect(message.id).toBe(id);
      const mediaId = [first, undefined, second][at];
      if (mediaId === undefined) expect(message).not.toHaveProperty('mediaUrl');
      else
        expect(message).toMatchObject({
          text: '',
          mediaUrl: `/conversations/${conversationId}/media/${mediaId}`,
          mediaType: PNG,
          fileName: 'cat.png',
          size: 1,
          width: 1,
          height: 1,
          thumbhash: 'x',
        });
    }
    sent.push(...ids);
  }
  const { messages } = (await visitor.call('GET', `/conversations/${conversationId}/messages`)).body;
  expect(messages.map((message: { id: string }) => message.id)).toEqual(sent);
  for (const socket of [desk, seat]) socket.close();
});

test('[LIMIT-02] fifty images a day for each side of a conversation, also when many start at once', async () => {
  const { visitor, conversationId } = await createChat(server, 'j-desk');
  const many = await inParallel(
    server,
    Array.from({ length: IMAGES_PER_DAY + 10 }, () => () => begin(visitor, conversationId, { bytes: 100 })),
  );
  const statuses = many.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(IMAGES_PER_DAY);
  expect(many.find(({ status }) => status !== 200)?.body).toEqual({
    success: false,
    code: 'image_limit',
    error: 'That is enough images for today. Please send more tomorrow.',
  });
  expect(statuses.filter((status) => status === 403)).toHaveLength(10);
  // Cancelled and refused images count too.
  const { rows } = await server.app.db.pool.query('select id from media where conversation_id = $1 limit 2', [
    conversationId,
  ]);
  await visitor.call('DELETE', `/conversations/${conversationId}/media/${rows[0].id}`);
  await server.app.db.pool.query(`update media set state = 'refused' where id = $1`, [rows[1].id]);
  expect((await begin(visitor, conversationId, { bytes: 100 })).status).toBe(403);
  // The other side and other conversations have separate limits. Continuing an upload does not count again.
  expect((await begin(handler, conversationId, { bytes: 100 })).status).toBe(200);
  const elsewhere = await createChat(server, 'j-desk');
  expect((await begin(elsewhere.visitor, elsewhere.conversationId, { bytes: 100 })).status).toBe(200);
  const { rows: begun } = await server.app.db.pool.query(
    `select id from media where conversation_id = $1 and state = 'uploading' and not from_owner limit 1`,
    [conversationId],
  );
  const again = await begin(visitor, conversationId, { mediaId: begun[0].id, bytes: 100 });
  expect(again.status).toBe(200);
});

test('[MSG-21] [MEDIA-03] a closed conversation accepts a visitor’s image while a message would reopen it', async () => {
  const { visitor, conversationId } = await createChat(server, 'j-desk');
  const ask = async (person: Person) =>
    (await begin(person, conversationId, { bytes: 100 })).body.code ?? 'taken';
  const status = (to: string, from?: string) =>
    handler.call('PUT', `/conversations/${conversationId}/status`, { status: to, ...(from && { from }) });
  await status('closed');
  expect([await ask(visitor), await ask(handler)]).toEqual(['taken', 'conversation_closed']);
  await server.app.db.pool.query(
    `update conversations set closed_at = now() - interval '8 days' where id = $1`,
    [conversationId],
  );
  expect([await ask(visitor), await ask(handler)]).toEqual(['conversation_closed', 'conversation_closed']);
  await status('open');
  await status('blocked');
  expect([await ask(visitor), await ask(handler)]).toEqual(['conversation_closed', 'conversation_closed']);
  await status('open', 'blocked');
  expect([await ask(visitor), await ask(handler)]).toEqual(['taken', 'taken']);
});

test('[P-01] [P-02] [MEDIA-09] before it is sent, only its sender has an image; afterwards everybody in its conversation reads it', async () => {
  const colleague = await createStaff(server, 'j-desk');
  const { visitor, conversationId } = await createChat(server, 'j-desk');
  const { conversationId: second, visitor: neighbour } = await createChat(server, 'j-desk');
  const calls = async (person: Person, mediaId: string, conversation = conversationId) => {
    const replies = await Promise.all([
      begin(person, conversation, { mediaId, bytes: 100 }),
      finish(person, conversation, mediaId),
      person.call('DELETE', `/conversations/${conversation}/media/${mediaId}`),
      read(person, conversation, mediaId),
      sendPicture(person, conversation, mediaId),
    ]);
    return replies.map(({ body }) => body.code);
  };
  const OUTSIDE = Array(5).fill('not_found');
  const INSIDE = [...Array(4).fill('not_found'), 'media_refused'];
  for (const owner of [visitor, handler]) {
    const { mediaId } = await stage(owner, conversationId, { image: await png() });
    await makeReady(mediaId);
    expect(await calls(neighbour, mediaId)).toEqual(OUTSIDE);
    for (const person of [visitor, handler, colleague].filter((other) => other !== owner))
      expect(await calls(person, mediaId)).toEqual(INSIDE);
    expect(await calls(handler, mediaId, second)).toEqual(INSIDE);
    expect(await mediaRow(server, mediaId)).toMatchObject({ state: 'ready', message_id: null });
    expect((await read(owner, conversationId, mediaId)).status).toBe(200);
    expect((await sendPicture(owner, conversationId, mediaId)).status).toBe(200);
    for (const person of [visitor, handler, colleague])
      expect((await read(person, conversationId, mediaId)).status).toBe(200);
    expect((await read(neighbour, conversationId, mediaId)).status).toBe(404);
    expect((await read(handler, second, mediaId)).status).toBe(404);
  }
});

/** Starts the jobs of a process without a push key. */
function start(store: Partial<MediaStore> = {}) {
  return startJobs({ ...parts(store), config: server.app.config, push: undefined });
}

const isDone = (task: string) => vi.waitFor(async () => expect(await left(task)).toEqual([]), soon);

async function add(task: string, payload: object = {}): Promise<void> {
  await server.app.db.pool.query('select graphile_worker.add_job($1, $2::json)', [
    task,
    JSON.stringify(payload),
  ]);
}

async function left(task: string): Promise<{ attempts: number }[]> {
  const text = 'select attempts from graphile_worker.jobs where task_identifier = $1';
  return (await server.app.db.pool.query(text, [task])).rows;
}

test('[PUSH-06] images that wait for object storage delay nothing else', async () => {
  const answered = Promise.withResolvers<void>();
  await server.app.db.pool.query('delete from graphile_worker._private_jobs');
  const remove = vi.fn(() => answered.promise);
  const jobs = await start({ remove });
  try {
    for (let count = 0; count < 10; count++) await add('removeMedia', { paths: ['uploads/none'] });
    await vi.waitFor(() => expect(remove).toHaveBeenCalledTimes(2), soon);
    await add('purgeExpired');
    await isDone('purgeExpired');
    expect(await left('removeMedia')).toHaveLength(10);
  } finally {
    answered.resolve();
    await isDone('removeMedia');
    await jobs.stop();
  }
});

test('[PUSH-06] a process without a key leaves notifications to those that have one', async () => {
  const jobs = await start();
  try {
    await add('push', { subscriptionId: randomUUID(), conversationId: randomUUID(), seq: 1 });
    await add('purgeExpired');
    await isDone('purgeExpired');
    expect(await left('push')).toEqual([{ attempts: 0 }]);
  } finally {
    await jobs.stop();
  }
});
