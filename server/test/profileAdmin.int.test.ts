import { AVATAR_MAX_BYTES } from '@settee/protocol/calls/profileCalls';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setBrand } from '../src/actions/profile/setBrand.ts';
import type { Gateway } from '../src/gateway.ts';
import { deafBus } from './deafBus.ts';
import { type Reply, startTestServer, type TestServer } from './harness.ts';
import { pngChunk, pngWith } from './images/made.ts';
import { animation, KINDS, pattern, still } from './images/samples.ts';
import {
  createAdministrator,
  createChat,
  createStaff,
  createVisitor,
  type Person,
  sendOver,
  watchAs,
} from './people.ts';

let server: TestServer;
let admin: Person;
const bus = deafBus();
let other: Gateway;
beforeAll(async () => {
  server = await startTestServer();
  other = await server.startAnother({ throughBus: bus.through });
  admin = await createAdministrator(server);
});
afterAll(() => server.close());

const save = (body: object): Promise<Reply> => admin.call('PUT', '/manage/profile', body);
const put = (bytes: Uint8Array, type = 'application/octet-stream'): Promise<Reply> =>
  admin.browser.call('PUT', '/manage/profile/avatar', bytes, { 'content-type': type });
const shown = async () => (await server.request('GET', '/brand')).body.brand;

async function fetched(url: string) {
  const response = await fetch(server.url + url);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

describe('[D-05] [PROFILE-15] a change of the public profile', () => {
  test('stores only the given parts, cleaned, and refuses invalid ones with a text', async () => {
    const first = await shown();
    const reply = await save({ displayName: ' Mara\u202e \n Lindqvist ', verified: false });
    expect(reply.body.brand).toMatchObject({
      displayName: 'Mara Lindqvist',
      verified: false,
      disclosure: null,
    });
    expect(reply.body.brand.updatedAt).toBeGreaterThan(first.updatedAt);
    expect((await save({ disclosure: '' })).body.brand).toMatchObject({
      displayName: 'Mara Lindqvist',
      disclosure: '',
    });
    expect((await save({ disclosure: null, verified: true })).body.brand.disclosure).toBeNull();
    expect((await admin.call('GET', '/manage/profile')).body.settings).toEqual({
      reopenDays: 7,
      waitingMinutes: 5,
      waitingLongMinutes: 15,
      keepDays: null,
      visitorErase: true,
      language: 'en',
      visitorMail: false,
    });
    for (const [body, text] of [
      [{ displayName: ' ' }, '1 to 80 characters'],
      [{ displayName: 'x'.repeat(81) }, '1 to 80 characters'],
      [{ disclosure: 'x'.repeat(201) }, 'at most 200 characters'],
      [{ reopenDays: 366 }, 'From 0 to 365 days'],
      [{ reopenDays: 1.5 }, 'From 0 to 365 days'],
      [{ waitingMinutes: 0 }, 'From 1 to 1,440 minutes'],
      [{ waitingMinutes: 15 }, 'Urgent must come later than highlighted'],
      [{ keepDays: 0 }, 'From 1 to 3,650 days'],
      [{ avatarUrl: 'https://elsewhere.example/x.png' }, 'not understood'],
    ] as const) {
      const refused = await save(body);
      expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining(text)]);
    }
  });

  test('reaches every open page at every gateway, also without a hint', async () => {
    const handler = await createStaff(server, 'profile-desk');
    const { visitor } = await createChat(server, 'profile-desk');
    const stranger = await createVisitor(server);
    const sockets = await Promise.all(
      [visitor, stranger, handler, admin].flatMap((person) => [person.live(), person.live(other.url)]),
    );
    const name = (displayName: string) =>
      Promise.all(
        sockets.map((socket) => socket.next('brand', ({ brand }) => brand.displayName === displayName)),
      );
    await save({ displayName: 'Hinted' });
    await name('Hinted');
    bus.deaf = true;
    await save({ displayName: 'Not hinted' });
    await name('Not hinted');
    await expect.poll(() => bus.lost).toContain('cell.brand');
    bus.deaf = false;
    for (const socket of sockets) socket.close();
  });

  test('is only for administrators', async () => {
    const handler = await createStaff(server, 'profile-door');
    const visitor = await createVisitor(server);
    for (const person of [handler, visitor]) {
      for (const [method, path] of [
        ['GET', '/manage/profile'],
        ['PUT', '/manage/profile'],
        ['DELETE', '/manage/profile/avatar'],
      ] as const) {
        const reply = await person.call(method, path, method === 'PUT' ? { displayName: 'Mine' } : undefined);
        expect(reply.status).toBe(403);
      }
    }
    expect((await shown()).displayName).not.toBe('Mine');
  });
});

test('thresholds reach every console at once, and never a visitor', async () => {
  const handler = await createStaff(server, 'threshold-desk');
  const { visitor, conversationId } = await createChat(server, 'threshold-desk');
  const consoles = [await handler.live(), await handler.live(other.url), await admin.live()];
  const receivedByVisitor: string[] = [];
  const visitors = [
    await watchAs(visitor, conversationId),
    await watchAs(visitor, conversationId, other.url),
  ];
  const before = await shown();
  bus.deaf = true;
  await save({ waitingMinutes: 3, waitingLongMinutes: 41, keepDays: 777 });
  for (const console of consoles) {
    const { settings } = await console.next('settings');
    expect(settings).toEqual({ waitingMinutes: 3, waitingLongMinutes: 41 });
  }
  bus.deaf = false;
  // What visitors see did not change, so no image is loaded again.
  expect(await shown()).toEqual(before);
  for (const { socket } of visitors) {
    await sendOver(socket, conversationId, 'still here');
    receivedByVisitor.push(...socket.received.map((frame) => JSON.stringify(frame)));
  }
  const fresh = await visitor.live();
  receivedByVisitor.push(...fresh.received.map((frame) => JSON.stringify(frame)));
  for (const path of [
    '/brand',
    `/conversations/${conversationId}`,
    `/conversations/${conversationId}/messages`,
  ]) {
    receivedByVisitor.push(JSON.stringify((await visitor.call('GET', path)).body));
  }
  expect(receivedByVisitor.join('\n')).not.toMatch(/waiting|settings|keep|reopen|:(?:41|777)[,}]/i);
  // Later sockets get it in their welcome; `open` has consumed that of the sockets above.
  const late = await fetchWelcome(handler);
  expect(late).toMatchObject({ settings: { waitingMinutes: 3, waitingLongMinutes: 41 } });
  expect(await fetchWelcome(visitor)).not.toHaveProperty('settings');
  await save({ waitingMinutes: 5, waitingLongMinutes: 15, keepDays: null });
  for (const socket of [...consoles, ...visitors.map(({ socket }) => socket), fresh]) socket.close();
});

async function fetchWelcome(person: Person): Promise<object> {
  const { LiveClient } = await import('./client.ts');
  const { PROTOCOL_VERSION } = await import('@settee/protocol/frames/version');
  const client = new LiveClient(server.url, server.app.config.publicUrl);
  await client.opened();
  client.send({ type: 'hello', version: PROTOCOL_VERSION, token: person.browser.token });
  const welcome = await client.next('welcome');
  client.close();
  return welcome;
}

test('[MSG-21] a changed reopening window changes open pages at once, and decides about sends', async () => {
  const handler = await createStaff(server, 'window-desk');
  const { visitor, conversationId } = await createChat(server, 'window-desk');
  const open = await createChat(server, 'window-desk');
  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
  const views = [await watchAs(visitor, conversationId), await watchAs(visitor, conversationId, other.url)];
  const untouched = await watchAs(open.visitor, open.conversationId);
  for (const { watched } of views)
    expect(watched.conversation).toMatchObject({ status: 'closed', canSend: true });
  const send = () =>
    visitor.call('POST', `/conversations/${conversationId}/messages`, {
      id: crypto.randomUUID(),
      text: 'again',
    });

  await save({ reopenDays: 0 });
  for (const { socket } of views)
    await socket.next('conversation', ({ conversation }) => !conversation.canSend);
  expect((await send()).body.code).toBe('conversation_closed');
  await save({ reopenDays: 30 });
  for (const { socket } of views)
    await socket.next('conversation', ({ conversation }) => conversation.canSend);
  expect((await send()).status).toBe(200);
  expect(untouched.socket.received.filter((frame) => frame.type === 'conversation')).toEqual([]);
  await save({ reopenDays: 7 });
  for (const { socket } of [...views, untouched]) socket.close();
});

describe('[MEDIA-13] the profile picture', () => {
  for (const kind of KINDS) {
    test(`from ${kind} becomes a re-encoded square at a versioned address`, async () => {
      const reply = await put(await still(kind, 900, 700), `image/${kind}`);
      expect(reply.status, JSON.stringify(reply.body)).toBe(200);
      const { brand } = reply.body;
      expect(brand.avatarUrl).toMatch(/^\/brand\/avatar\/[0-9a-f-]{36}\?v=\d+$/);
      expect(brand.avatarUrl.endsWith(`?v=${brand.updatedAt}`)).toBe(true);
      expect(await shown()).toEqual(brand);
      const { response, bytes } = await fetched(brand.avatarUrl);
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 512 });
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/webp',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      });
      expect(response.headers.has('set-cookie')).toBe(false);
    });
  }

  test('is upright, without metadata, never enlarged and never animated', async () => {
    // The left half is red. The image is rotated by its orientation first, then cropped to the centre.
    const halves = await sharp({ create: { width: 600, height: 300, channels: 3, background: 'blue' } })
      .composite([
        { input: { create: { width: 300, height: 300, channels: 3, background: 'red' } }, left: 0, top: 0 },
      ])
      .withMetadata({ orientation: 6 })
      .withExifMerge({ IFD0: { Make: 'C4N4RY', Artist: 'C4N4RY' }, IFD3: { GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer();
    const { brand } = (await put(halves)).body;
    const { bytes } = await fetched(brand.avatarUrl);
    const { width, height, exif, icc, xmp, orientation } = await sharp(bytes).metadata();
    expect({ width, height, exif, icc, xmp, orientation }).toEqual({ width: 300, height: 300 });
    expect(bytes.includes('C4N4RY')).toBe(false);
    const top = await sharp(bytes)
      .extract({ left: 150, top: 20, width: 1, height: 1 })
      .removeAlpha()
      .raw()
      .toBuffer();
    expect(top[0]).toBeGreaterThan(200);
    const moving = (await put(await animation('gif', 6, 80, 60))).body.brand;
    const still = await sharp((await fetched(moving.avatarUrl)).bytes).metadata();
    expect([still.pages ?? 1, still.width, still.height]).toEqual([1, 60, 60]);
  });

  test('has at most 2 MB', async () => {
    const small = await still('png');
    const padded = (bytes: number) =>
      pngWith(small, [pngChunk('teXt', Buffer.alloc(bytes - small.length - 12))]);
    const before = await shown();
    const refused = await put(padded(AVATAR_MAX_BYTES + 1));
    expect([refused.status, refused.body]).toEqual([
      413,
      { success: false, code: 'image_size', error: 'A profile picture can have at most 2 MB' },
    ]);
    expect((await shown()).avatarUrl).toBe(before.avatarUrl);
    expect((await put(padded(AVATAR_MAX_BYTES))).status).toBe(200);
  });

  test('is an image: no SVG, no page, no damaged file, no polyglot', async () => {
    const before = await shown();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    for (const [file, status, code] of [
      [svg, 415, 'image_type'],
      [Buffer.from('<!doctype html><script>alert(1)</script>'), 415, 'image_type'],
      [Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), svg]), 422, 'media_refused'],
      [(await still('jpeg')).subarray(0, 300), 422, 'media_refused'],
      [Buffer.alloc(0), 415, 'image_type'],
    ] as const) {
      const reply = await put(file, 'image/png');
      expect([reply.status, reply.body.code], file.subarray(0, 20).toString('latin1')).toEqual([
        status,
        code,
      ]);
    }
    expect((await save({})).status).toBe(200);
    const json = await admin.call('PUT', '/manage/profile/avatar', { image: 'x' });
    expect([json.status, json.body.code]).toEqual([400, 'bad_request']);
    expect((await shown()).avatarUrl).toBe(before.avatarUrl);
    // A polyglot: an image with a page after its end. Only the image is stored.
    const polyglot = Buffer.concat([
      await pattern(64, 64).png().toBuffer(),
      Buffer.from('<script>C4N4RY</script>'),
    ]);
    const { brand } = (await put(polyglot)).body;
    expect((await fetched(brand.avatarUrl)).bytes.includes('C4N4RY')).toBe(false);
  });

  test('is deleted when it is removed or replaced, so only the current one is stored', async () => {
    const one = (await put(await still('png', 40, 40))).body.brand;
    const two = (await put(await still('png', 50, 50))).body.brand;
    expect((await fetched(one.avatarUrl)).response.status).toBe(404);
    expect((await fetched(two.avatarUrl)).response.status).toBe(200);
    const gone = (await admin.call('DELETE', '/manage/profile/avatar')).body.brand;
    expect(gone.avatarUrl).toBeNull();
    expect((await fetched(two.avatarUrl)).response.status).toBe(404);
    expect((await server.app.db.pool.query('select count(*)::int as n from avatars')).rows).toEqual([
      { n: 0 },
    ]);
    expect((await fetched('/brand/avatar/nonsense')).response.status).toBe(404);
    const { rows } = await server.app.db.pool.query(
      `select action from audit where target = 'brand' order by id desc limit 3`,
    );
    expect(rows.map((row) => row.action)).toEqual(['avatar.remove', 'avatar.set', 'avatar.set']);

    // An avatar URL set by command replaces it; a name keeps it.
    const three = (await put(await still('png', 60, 60))).body.brand;
    await setBrand(server.app, { displayName: 'Mara' }, 'cli');
    expect((await fetched(three.avatarUrl)).response.status).toBe(200);
    await setBrand(server.app, { avatarUrl: 'https://elsewhere.example/mara.png' }, 'cli');
    expect((await fetched(three.avatarUrl)).response.status).toBe(404);
    await admin.call('DELETE', '/manage/profile/avatar');
  });
});
