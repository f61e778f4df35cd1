import { randomBytes, randomUUID } from 'node:crypto';
import { PUSH_DEVICES_MAX } from '@settee/protocol/model/push';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedInHandler } from './browser.ts';
import { startTestServer } from './harness.ts';
import { createAdministrator, createChat, createStaff, createVisitor, type Person } from './people.ts';
import { type PushWorld, startPushWorld } from './pushWorld.ts';

let world: PushWorld;
beforeAll(async () => {
  world = await startPushWorld();
});
afterAll(() => world.stop());

const chat = (alias = 'mara-east') => createChat(world.server, alias);
const save = (person: Person, name: string, more: object = {}) =>
  person.call('PUT', '/push/subscription', { ...world.service.subscription(name), ...more });
const drop = (person: Person, name: string) =>
  person.call('POST', '/push/unsubscribe', { endpoint: world.service.endpointFor(name) });
const sendTest = (person: Person, name: string) =>
  person.call('POST', '/push/test', { endpoint: world.service.endpointFor(name) });
async function profileToken(person: Person): Promise<string | null> {
  await person.call('PUT', '/visitorProfile', { displayName: 'Ines' });
  return (await person.call('GET', '/visitorProfile')).body.profile.fcmToken;
}
const handlerToken = async (person: Person): Promise<string | null> =>
  (await person.call('GET', '/handlers/me')).body.handler.fcmToken;
async function rows(
  where = 'true',
): Promise<{ endpoint: string; visitor_id: string | null; alias: string | null }[]> {
  return (await world.server.app.db.pool.query(`select * from push_subscriptions where ${where}`)).rows;
}

test('[N-03] a browser gets the key to subscribe with, or learns that there is none', async () => {
  const reply = await world.server.request('GET', '/push/key');
  expect(reply.body).toEqual({ success: true, publicKey: world.publicKey });
  const without = await startTestServer();
  try {
    expect((await without.request('GET', '/push/key')).body).toEqual({ success: true, publicKey: null });
    const { visitor } = await createChat(without, 'mara-east');
    const refused = await visitor.call('PUT', '/push/subscription', world.service.subscription('keyless'));
    expect([refused.status, refused.body.code]).toEqual([422, 'push_refused']);
  } finally {
    await without.close();
  }
});

test('[N-03] [N-04] a visitor’s token is on the profile once saved, and null once removed', async () => {
  const { visitor } = await chat();
  expect(await profileToken(visitor)).toBeNull();
  expect((await save(visitor, 'ines')).body).toEqual({ success: true });
  expect(await profileToken(visitor)).toBe(world.service.endpointFor('ines'));
  await save(visitor, 'ines-phone');
  expect(await profileToken(visitor)).toBe(world.service.endpointFor('ines-phone'));
  await save(visitor, 'ines-new', { instead: world.service.endpointFor('ines-phone') });
  await drop(visitor, 'ines-new');
  expect(await profileToken(visitor)).toBe(world.service.endpointFor('ines'));
  expect((await drop(visitor, 'ines')).body).toEqual({ success: true });
  expect(await profileToken(visitor)).toBeNull();
});

test('[N-03] [N-04] [P-04] a handler’s token is on their record of the desk, and only its owner can read or remove it', async () => {
  const handler = await createStaff(world.server, 'mara-record');
  const colleague = await createStaff(world.server, 'mara-record');
  const stranger = await createStaff(world.server, 'mara-other');
  await save(handler, 'desk');
  expect(await handlerToken(handler)).toBe(world.service.endpointFor('desk'));
  for (const other of [colleague, stranger]) expect(await handlerToken(other)).toBeNull();
  const { visitor } = await chat();
  for (const other of [colleague, stranger, visitor]) {
    expect((await drop(other, 'desk')).status).toBe(200);
    expect((await sendTest(other, 'desk')).body.code).toBe('push_refused');
    await save(other, 'own', { instead: world.service.endpointFor('desk') });
    expect(await handlerToken(handler)).not.toBeNull();
  }
  await drop(colleague, 'own');
  await drop(handler, 'desk');
  expect(await handlerToken(handler)).toBeNull();
});

test('[N-07] a refreshed token is fresh again, and still one token', async () => {
  const { visitor } = await chat();
  await save(visitor, 'weekly');
  const mine = `endpoint = '${world.service.endpointFor('weekly')}'`;
  const { pool } = world.server.app.db;
  await pool.query(`update push_subscriptions set refreshed_at = now() - interval '7 days' where ${mine}`);
  await save(visitor, 'weekly');
  const { rows: found } = await pool.query(
    `select now() - refreshed_at < interval '1 minute' as fresh from push_subscriptions where ${mine}`,
  );
  expect(found).toEqual([{ fresh: true }]);
});

test('nothing is stored before a claim, for staff without a desk, or for an invalid key', async () => {
  const before = (await rows()).length;
  const visitor = await createVisitor(world.server);
  expect((await save(visitor, 'nobody')).body).toMatchObject({
    code: 'access_denied',
    error: 'Visitor ID is required',
  });
  const admin = await createAdministrator(world.server);
  expect((await save(admin, 'admin')).body).toMatchObject({
    code: 'access_denied',
    error: 'Handler alias is required',
  });
  const offCurve = Buffer.concat([Buffer.from([4]), randomBytes(64)]).toString('base64url');
  const { visitor: claimed } = await chat();
  expect((await save(claimed, 'off-curve', { p256dh: offCurve })).body.code).toBe('push_refused');
  expect((await save(claimed, 'short', { auth: 'AAAA' })).body.code).toBe('bad_request');
  expect((await rows()).length).toBe(before);
});

test('a person has at most five devices: the one silent for longest is removed', async () => {
  const { visitor } = await chat();
  const handler = await createStaff(world.server, 'mara-devices');
  for (const [person, where] of [
    [visitor, `visitor_id = '${visitor.browser.visitorId}'`],
    [handler, "alias = 'mara-devices'"],
  ] as const) {
    const names = Array.from({ length: PUSH_DEVICES_MAX + 2 }, () => randomUUID());
    for (const name of names.slice(0, PUSH_DEVICES_MAX)) await save(person, name);
    // Saved again, so now the second one is the oldest.
    await save(person, names[0] ?? '');
    for (const name of names.slice(PUSH_DEVICES_MAX)) await save(person, name);
    const left = (await rows(where)).map((row) => row.endpoint);
    const kept = names.filter((_, at) => at !== 1 && at !== 2);
    expect(left.sort()).toEqual(kept.map(world.service.endpointFor).sort());
  }
  const many = Array.from({ length: 12 }, () => randomUUID());
  await Promise.all(many.map((name) => save(visitor, name)));
  expect(await rows(`visitor_id = '${visitor.browser.visitorId}'`)).toHaveLength(PUSH_DEVICES_MAX);
});

test('[PUSH-14] a browser is one endpoint: it belongs to the last subscriber', async () => {
  const { visitor } = await chat();
  const handler = await createStaff(world.server, 'mara-shared');
  await save(visitor, 'shared');
  await save(handler, 'shared');
  const found = await rows(`endpoint = '${world.service.endpointFor('shared')}'`);
  expect(found).toEqual([expect.objectContaining({ visitor_id: null, alias: 'mara-shared' })]);
  expect(await profileToken(visitor)).toBeNull();
});

test('[P-04] [PUSH-14] knowing an endpoint is not enough to take it over', async () => {
  const handler = await createStaff(world.server, 'mara-known');
  const colleague = await createStaff(world.server, 'mara-known');
  const { visitor } = await chat();
  await save(handler, 'known');
  const { p256dh, auth } = world.service.subscription('own');
  for (const other of [colleague, visitor])
    for (const keys of [{ p256dh, auth }, { p256dh }, { auth }])
      expect((await save(other, 'known', keys)).body.code).toBe('push_refused');
  const mine = `endpoint = '${world.service.endpointFor('known')}'`;
  const known = world.service.subscription('known');
  expect(await rows(mine)).toEqual([expect.objectContaining({ ...known, alias: 'mara-known' })]);
  // The owner can save new keys.
  expect((await save(handler, 'known', { p256dh, auth })).status).toBe(200);
  expect(await rows(mine)).toEqual([expect.objectContaining({ p256dh, auth })]);
});

test('[PUSH-14] signing out removes the device’s token from the record', async () => {
  const browser = await signedInHandler(world.server, 'mara-leaving');
  await browser.call('PUT', '/push/subscription', world.service.subscription('leaving'));
  expect(await rows("alias = 'mara-leaving'")).toHaveLength(1);
  await browser.call('POST', '/auth/staff/sign-out');
  expect(await rows("alias = 'mara-leaving'")).toEqual([]);
});

test('a test goes to this browser at once, without content, and not twice within ten seconds', async () => {
  const { visitor } = await chat();
  await save(visitor, 'tested');
  await save(visitor, 'untested');
  expect((await sendTest(visitor, 'tested')).body).toEqual({ success: true });
  const payloads = world.service.received('tested').map((received) => received.payload);
  expect(payloads).toEqual([{ kind: 'test', to: 'visitor', title: 'Notifications work' }]);
  expect(world.service.received('untested')).toEqual([]);
  expect((await sendTest(visitor, 'tested')).body.code).toBe('too_many');
  expect(world.service.received('tested')).toHaveLength(1);
  expect(world.service.refusals).toEqual([]);
});

test('[PUSH-06] a test to a removed browser says so and forgets it; a busy push service is reported', async () => {
  const { visitor } = await chat();
  await save(visitor, 'gone');
  world.service.answerWith(410, 'gone');
  expect((await sendTest(visitor, 'gone')).body.code).toBe('push_refused');
  expect(await rows(`visitor_id = '${visitor.browser.visitorId}'`)).toEqual([]);
  const { visitor: other } = await chat();
  await save(other, 'busy');
  world.service.answerWith(503, 'busy');
  expect((await sendTest(other, 'busy')).body.code).toBe('unavailable');
  expect(await rows(`visitor_id = '${other.browser.visitorId}'`)).toHaveLength(1);
});
