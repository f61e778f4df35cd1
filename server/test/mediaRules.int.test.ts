import { randomUUID } from 'node:crypto';
import { IMAGE_BYTES_PER_DAY, IMAGE_MAX_BYTES, IMAGES_PER_DAY } from '@settee/protocol/model/media';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../src/adapters/system.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { inParallel } from './inParallel.ts';
import {
  createAdministrator,
  createChat,
  createStaff,
  createVisitor,
  type Person,
  watchAs,
} from './people.ts';
import { begin, finish, mediaRow, PNG, png, put, read, sendPicture, stage } from './pictures.ts';
import { testMedia } from './testMedia.ts';

// No worker runs here: uploads stay as they are.
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

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
  const handler = await createStaff(server, 'r-type');
  const { visitor, conversationId } = await createChat(server, 'r-type');
  for (const person of [visitor, handler]) {
    for (const type of ['image/svg+xml', 'image/avif', 'text/html', 'IMAGE/PNG', '']) {
      const { status, body } = await begin(person, conversationId, { type, bytes: 10 });
      expect([status, body]).toEqual([
        415,
        {
          success: false,
          code: 'image_type',
          error: 'Please select a valid image file (JPEG, PNG, GIF, or WebP)',
        },
      ]);
    }
    for (const type of ['image/jpeg', 'image/png', 'image/gif', 'image/webp']) {
      expect((await begin(person, conversationId, { type, bytes: 10 })).status).toBe(200);
    }
  }
});

test('[MEDIA-01] an address accepts exactly the announced bytes and type, at its place, in time', async () => {
  const { visitor, conversationId } = await createChat(server, 'r-address');
  const image = await png();
  const mediaId = randomUUID();
  const { uploadUrl } = (await begin(visitor, conversationId, { mediaId, bytes: image.length })).body;
  const { staged_path: place, path } = await mediaRow(server, mediaId);
  const unsigned = new URL(uploadUrl);
  unsigned.search = '';
  const refused = {
    'another type': await put(uploadUrl, image, 'image/gif'),
    'more bytes': await put(uploadUrl, Buffer.concat([image, image])),
    'fewer bytes': await put(uploadUrl, image.subarray(1)),
    unsigned: await put(unsigned.href, image),
    'another place': await put(uploadUrl.replace(place, path), image),
    'another method': await put(uploadUrl, image, PNG, 'GET'),
    removal: await put(uploadUrl, image, PNG, 'DELETE'),
  };
  for (const [what, status] of Object.entries(refused)) expect([what, status]).toEqual([what, 403]);
  for (const where of [place, path]) expect(await server.app.media.head(where)).toBeUndefined();

  const late = { ...systemClock, now: () => Date.now() - 3_600_000 };
  const store = server.app.media;
  server.app.media = testMedia(late);
  const expired = (await begin(visitor, conversationId, { mediaId, bytes: image.length })).body.uploadUrl;
  server.app.media = store;
  expect(await put(expired, image)).toBe(403);
  expect(await put(uploadUrl, image)).toBe(200);
});

test('[MEDIA-01] nobody can read a staged file; [MEDIA-09] an address for reading expires', async () => {
  const { visitor, conversationId } = await createChat(server, 'r-read');
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
  const handler = await createStaff(server, 'r-order');
  const { visitor, conversationId } = await createChat(server, 'r-order');
  const { socket: desk } = await watchAs(handler, conversationId);
  const { socket: seat } = await watchAs(visitor, conversationId);
  const sent: string[] = [];
  for (let turn = 0; turn < 5; turn++) {
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
  const handler = await createStaff(server, 'r-fifty');
  const { visitor, conversationId } = await createChat(server, 'r-fifty');
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
  const elsewhere = await createChat(server, 'r-fifty');
  expect((await begin(elsewhere.visitor, elsewhere.conversationId, { bytes: 100 })).status).toBe(200);
  const { rows: begun } = await server.app.db.pool.query(
    `select id from media where conversation_id = $1 and state = 'uploading' and not from_owner limit 1`,
    [conversationId],
  );
  const again = await begin(visitor, conversationId, { mediaId: begun[0].id, bytes: 100 });
  expect(again.status).toBe(200);
  // A day later images can be sent again.
  await server.app.db.pool.query(
    `update media set created_at = now() - interval '24 hours 1 second' where id = $1`,
    [begun[0].id],
  );
  expect((await begin(visitor, conversationId, { bytes: 100 })).status).toBe(200);
  expect((await begin(visitor, conversationId, { bytes: 100 })).status).toBe(403);
});

test('[LIMIT-02] 200 MB a day for each side of a conversation', async () => {
  const handler = await createStaff(server, 'r-bytes');
  const { visitor, conversationId } = await createChat(server, 'r-bytes');
  const largest = IMAGE_MAX_BYTES - 1;
  const fitting = Math.floor(IMAGE_BYTES_PER_DAY / largest);
  for (let n = 0; n < fitting; n++) {
    expect((await begin(visitor, conversationId, { bytes: largest })).status).toBe(200);
  }
  const left = IMAGE_BYTES_PER_DAY - fitting * largest;
  expect((await begin(visitor, conversationId, { bytes: left + 1 })).body.code).toBe('image_limit');
  expect((await begin(visitor, conversationId, { bytes: left })).status).toBe(200);
  expect((await begin(visitor, conversationId, { bytes: 1 })).body.code).toBe('image_limit');
  expect((await begin(handler, conversationId, { bytes: largest })).status).toBe(200);
});

test('[MSG-21] [MEDIA-03] a closed conversation accepts a visitor’s image while a message would reopen it', async () => {
  const handler = await createStaff(server, 'r-closed');
  const { visitor, conversationId } = await createChat(server, 'r-closed');
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

test('[P-01] [P-02] [MEDIA-09] every call about an image by every role: an image of others does not exist', async () => {
  const handler = await createStaff(server, 'r-mine');
  const colleague = await createStaff(server, 'r-mine');
  const { visitor, conversationId } = await createChat(server, 'r-mine');
  const { conversationId: second, visitor: neighbour } = await createChat(server, 'r-mine');
  const admin = await createAdministrator(server);
  const outsiders: Record<string, Person> = {
    'a visitor elsewhere': neighbour,
    'a visitor without a chat': await createVisitor(server),
    'another desk': await createStaff(server, 'r-other'),
  };
  const calls = (person: Person, mediaId: string, conversation = conversationId) => [
    begin(person, conversation, { mediaId, bytes: 100 }),
    finish(person, conversation, mediaId),
    person.call('DELETE', `/conversations/${conversation}/media/${mediaId}`),
    read(person, conversation, mediaId),
    sendPicture(person, conversation, mediaId),
  ];
  const codes = async (replies: ReturnType<typeof calls>) =>
    (await Promise.all(replies)).map(({ status, body }) => [status, body.code]);
  const NOT_FOUND = [404, 'not_found'];
  const REFUSED = [422, 'media_refused'];

  const bySide: [Person, string][] = [];
  for (const person of [visitor, handler]) {
    const { mediaId } = await stage(person, conversationId, { image: await png() });
    await makeReady(mediaId);
    bySide.push([person, mediaId]);
  }
  for (const [owner, mediaId] of bySide) {
    for (const [who, person] of Object.entries(outsiders)) {
      expect([who, await codes(calls(person, mediaId))]).toEqual([who, Array(5).fill(NOT_FOUND)]);
    }
    // Others with access to the conversation, and the owner in another conversation.
    const others = [visitor, handler, colleague, admin].filter((person) => person !== owner);
    for (const person of others) {
      const answers = await codes(calls(person, mediaId));
      expect(answers).toEqual([NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, REFUSED]);
    }
    if (owner === handler) {
      const answers = await codes(calls(owner, mediaId, second));
      expect(answers).toEqual([NOT_FOUND, NOT_FOUND, NOT_FOUND, NOT_FOUND, REFUSED]);
    }
    const path = `/conversations/${conversationId}/media/${mediaId}`;
    const signedOut = [
      await server.request('POST', `/conversations/${conversationId}/media`, {
        body: { mediaId, type: PNG, bytes: 100, fileName: 'x' },
      }),
      await server.request('POST', `${path}/uploaded`),
      await server.request('DELETE', path),
      await server.request('GET', path),
      await server.request('POST', `${path}/message`, { body: { id: randomUUID() } }),
    ];
    expect(signedOut.map(({ status }) => status)).toEqual(Array(5).fill(401));
    expect(await mediaRow(server, mediaId)).toMatchObject({ state: 'ready', message_id: null });
    // Before it is sent, only the sender can read it. Afterwards, everybody with access to the conversation can.
    expect((await read(owner, conversationId, mediaId)).status).toBe(200);
    expect((await sendPicture(owner, conversationId, mediaId)).status).toBe(200);
    for (const person of [visitor, handler, colleague, admin]) {
      expect((await read(person, conversationId, mediaId)).status).toBe(200);
    }
    for (const [who, person] of Object.entries(outsiders)) {
      expect([who, (await read(person, conversationId, mediaId)).status]).toEqual([who, 404]);
    }
    expect((await read(handler, second, mediaId)).status).toBe(404);
  }
  for (const id of ['nonsense', randomUUID()]) {
    expect((await read(visitor, conversationId, id)).status).toBe(404);
    expect((await finish(visitor, conversationId, id)).status).toBe(404);
  }
});
