import { AVATAR_MAX_BYTES } from '@settee/protocol/calls/profileCalls';
import type { Week } from '@settee/protocol/model/hours';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/platform/adapters/system.ts';
import { setBrand } from '../../src/profile/setBrand.ts';
import type { Gateway } from '../../src/start/gateway.ts';
import { pngChunk, pngWith } from '../images/made.ts';
import { animation, still } from '../images/samples.ts';
import { LiveClient } from '../support/client.ts';
import { deafBus } from '../support/deafBus.ts';
import { type Reply, startTestServer, type TestServer } from '../support/harness.ts';
import {
  createAdministrator,
  createChat,
  createStaff,
  createVisitor,
  type Person,
  say,
  sendOver,
  watchAs,
} from '../support/people.ts';

const DESK = 'zq-hours-desk';

let server: TestServer;
let admin: Person;
const bus = deafBus();
let other: Gateway;
let ahead = 0;
const clock = { ...systemClock, now: () => systemClock.now() + ahead };
let handler: Person;
beforeAll(async () => {
  server = await startTestServer({ clock });
  other = await server.startAnother({ clock, throughBus: bus.through });
  admin = await createAdministrator(server);
  handler = await createStaff(server, DESK);
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
    expect(first).toMatchObject({ displayName: 'Settee', avatarUrl: null, verified: true });
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
    expect((await admin.call('GET', '/manage/profile')).body.settings).toMatchObject({
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
    const { visitor } = await createChat(server, DESK);
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
});

test('thresholds reach every console at once, and never a visitor', async () => {
  const { visitor, conversationId } = await createChat(server, DESK);
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
  const { token } = person.browser;
  const client = await LiveClient.hello(server.url, server.app.config.publicUrl, token);
  const welcome = await client.next('welcome');
  client.close();
  return welcome;
}

test('[MSG-21] a changed reopening window changes open pages at once, and decides about sends', async () => {
  const { visitor, conversationId } = await createChat(server, DESK);
  const open = await createChat(server, DESK);
  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
  const views = [await watchAs(visitor, conversationId), await watchAs(visitor, conversationId, other.url)];
  const untouched = await watchAs(open.visitor, open.conversationId);
  for (const { watched } of views)
    expect(watched.conversation).toMatchObject({ status: 'closed', canSend: true });
  const send = () => say(visitor, conversationId);

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
  test('becomes a re-encoded square at a versioned address', async () => {
    const reply = await put(await still('jpeg', 900, 700), 'image/jpeg');
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

  test('is an image: no SVG, no page, no damaged file', async () => {
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

const MINUTE_MS = 60_000;

function everyDay(from: number, to: number): { timeZone: string; week: Week } {
  return { timeZone: 'UTC', week: Array.from({ length: 7 }, () => [{ from, to }]) };
}
const setHours = (alias: string, hours: unknown) =>
  admin.call('PUT', `/manage/desks/${alias}/hours`, { hours });
const minuteOfDay = (at = clock.now()) => Math.floor((at % 86_400_000) / MINUTE_MS);

test('greeting, farewell and away message are stored, cleaned, limited, audited and shown', async () => {
  const words = {
    greeting: ' Hello!\u202e\r\n\nAsk me anything. ',
    farewell: 'Goodbye.',
    awayMessage: 'Back\nsoon.',
  };
  const clean = { greeting: 'Hello!\n\nAsk me anything.', farewell: 'Goodbye.', awayMessage: 'Back soon.' };
  const { visitor } = await createChat(server, DESK);
  const socket = await visitor.live(other.url);
  expect((await save(words)).body.brand).toMatchObject(clean);
  expect(await shown()).toMatchObject(clean);
  expect((await socket.next('brand', ({ brand }) => brand.greeting !== null)).brand).toMatchObject(clean);
  const { rows } = await server.app.db.pool.query(
    `select details from audit where action = 'brand.set' order by id desc limit 1`,
  );
  expect(rows).toEqual([{ details: clean }]);
  for (const [field, max] of [
    ['greeting', 500],
    ['farewell', 300],
    ['awayMessage', 200],
  ] as const) {
    expect((await save({ [field]: 'x'.repeat(max) })).status).toBe(200);
    const refused = await save({ [field]: 'x'.repeat(max + 1) });
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining(`at most ${max}`)]);
    expect((await save({ [field]: '' })).body.brand[field]).toBeNull();
  }
  socket.close();
});

test('[PROFILE-06] outside the hours of its desk, and only there, a visitor gets the next opening', async () => {
  await createStaff(server, 'zq-always-desk');
  const ours = await createChat(server, DESK);
  const theirs = await createChat(server, 'zq-always-desk');
  const views = [
    await watchAs(ours.visitor, ours.conversationId),
    await watchAs(ours.visitor, ours.conversationId, other.url),
  ];
  const untouched = await watchAs(theirs.visitor, theirs.conversationId);
  for (const { watched } of views) expect(watched.conversation).toMatchObject({ away: null });

  // The desk is away from now on. One gateway gets the hint, the other loses it.
  const from = (minuteOfDay() + 120) % 1_380;
  bus.deaf = true;
  expect((await setHours(DESK, everyDay(20, 1_441))).status).toBe(400);
  expect((await setHours('nobody-here', everyDay(from, from + 1))).status).toBe(404);
  expect((await setHours(DESK, everyDay(from, from + 1))).status).toBe(200);
  const { rows } = await server.app.db.pool.query(
    `select target, details from audit where action = 'hours.set' order by id desc limit 1`,
  );
  expect(rows).toEqual([
    { target: DESK, details: { timeZone: 'UTC', hours: expect.stringContaining('Mon ') } },
  ]);
  for (const { socket } of views) {
    const { conversation } = await socket.next(
      'conversation',
      ({ conversation: now }) => 'away' in now && now.away !== null,
    );
    if (!('away' in conversation)) throw new Error('not the visitor’s view');
    expect(conversation.away).toEqual({ message: '', until: expect.any(Number) });
    expect(((conversation.away?.until ?? 0) / MINUTE_MS) % 1_440).toBe(from);
    expect(conversation.away?.until).toBeGreaterThan(clock.now());
  }
  bus.deaf = false;
  await save({ awayMessage: 'Gone fishing.' });
  for (const { socket } of views)
    await socket.next(
      'conversation',
      ({ conversation }) => 'away' in conversation && conversation.away?.message === 'Gone fishing.',
    );
  // No message is sent, and the visitor can still write.
  await sendOver(views[0]?.socket ?? untouched.socket, ours.conversationId, 'anyone?');
  expect(
    (await ours.visitor.call('GET', `/conversations/${ours.conversationId}/messages`)).body.messages,
  ).toHaveLength(1);
  const read = (await ours.visitor.call('GET', `/conversations/${ours.conversationId}`)).body;
  expect(read.conversation.away.message).toBe('Gone fishing.');
  expect(
    (await handler.call('GET', `/conversations/${ours.conversationId}`)).body.conversation,
  ).not.toHaveProperty('away');
  expect(JSON.stringify(views.map(({ socket }) => socket.received)) + JSON.stringify(read)).not.toMatch(
    /zq-|timeZone|week/,
  );
  expect(untouched.socket.received.filter(({ type }) => type === 'conversation')).toEqual([]);

  expect((await setHours(DESK, null)).body.hours).toBeNull();
  for (const { socket } of views)
    await socket.next(
      'conversation',
      ({ conversation }) => 'away' in conversation && conversation.away === null,
    );
  for (const { socket } of [...views, untouched]) socket.close();
});

test('[PROFILE-06] open pages update automatically when the hours end and start', async () => {
  const { visitor, conversationId } = await createChat(server, DESK);
  // A time zone where it is about noon, so that midnight is far away.
  const begun = clock.now();
  const hoursToNoon = 12 - new Date(begun).getUTCHours();
  const timeZone = `Etc/GMT${hoursToNoon < 0 ? '+' : '-'}${Math.abs(hoursToNoon)}`;
  const now = (minuteOfDay(begun) % 60) + 720;
  // Open for the rest of this minute and one more, then closed for five minutes.
  const open = Array.from({ length: 7 }, () => [
    { from: 0, to: now + 2 },
    { from: now + 7, to: 1_440 },
  ]);
  expect((await setHours(DESK, { timeZone, week: open })).status).toBe(200);
  const { watched, socket } = await watchAs(visitor, conversationId);
  expect(watched.conversation).toMatchObject({ away: null });
  ahead += 3 * MINUTE_MS;
  await socket.next(
    'conversation',
    ({ conversation }) => 'away' in conversation && conversation.away !== null,
  );
  ahead += 5 * MINUTE_MS;
  await socket.next(
    'conversation',
    ({ conversation }) => 'away' in conversation && conversation.away === null,
  );
  await setHours(DESK, null);
  socket.close();
});
