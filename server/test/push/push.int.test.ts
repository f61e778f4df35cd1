import { randomBytes, randomUUID } from 'node:crypto';
import { PUSH_AFTER_MS, PUSH_APART_MS, PUSH_DEVICES_MAX } from '@settee/protocol/model/push';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startJobs } from '../../src/jobs/jobs.ts';
import { systemClock } from '../../src/platform/adapters/system.ts';
import { enqueueDuePushes } from '../../src/push/pushDue.store.ts';
import { startTestServer } from '../support/harness.ts';
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
import { type PushWorld, startPushWorld } from '../support/pushWorld.ts';
import { soon } from '../support/soon.ts';

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

test('[D-03] [N-03] [N-04] [P-04] a handler’s token is on their record of the desk, and only its owner can read or remove it', async () => {
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
  const mine = `visitor_id = '${visitor.browser.visitorId}'`;
  const names = Array.from({ length: PUSH_DEVICES_MAX + 2 }, () => randomUUID());
  for (const name of names.slice(0, PUSH_DEVICES_MAX)) await save(visitor, name);
  // Saved again, so now the second one is the oldest.
  await save(visitor, names[0] ?? '');
  for (const name of names.slice(PUSH_DEVICES_MAX)) await save(visitor, name);
  const left = (await rows(mine)).map((row) => row.endpoint);
  const kept = names.filter((_, at) => at !== 1 && at !== 2);
  expect(left.sort()).toEqual(kept.map(world.service.endpointFor).sort());
  await Promise.all(Array.from({ length: 12 }, () => save(visitor, randomUUID())));
  expect(await rows(mine)).toHaveLength(PUSH_DEVICES_MAX);
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

let desks = 0;
/** A new desk with one handler, a visitor, and a subscribed device of each. */
async function pair() {
  const alias = `mara-${++desks}`;
  const staff = await createStaff(world.server, alias);
  const { visitor, conversationId, token, code } = await createChat(world.server, alias);
  const [visitorName, staffName] = [`visitor-${desks}`, `staff-${desks}`];
  await world.subscribe(visitor, visitorName);
  await world.subscribe(staff, staffName);
  return { alias, staff, visitor, conversationId, token, code, visitorName, staffName };
}

async function write(person: Person, conversationId: string, text = 'a word'): Promise<void> {
  const reply = await say(person, conversationId, text);
  if (reply.status !== 200) throw new Error(`not sent: ${reply.status}`);
}

const received = (name: string) => world.service.received(name).map(({ payload }) => payload);
const query = async (text: string, values: unknown[] = []) =>
  (await world.server.app.db.pool.query(text, values)).rows;
const due = (conversationId: string) =>
  query(
    `select to_owner, seq, due_at is not null as due from push_due where conversation_id = $1 order by to_owner`,
    [conversationId],
  );

/** In milliseconds: from the message, and from the notification before, until the next one. */
async function times(conversationId: string): Promise<Record<'after' | 'apart' | 'fromNow', number>> {
  const [row] = await query(
    `select extract(epoch from p.due_at - m.created_at)::float8 * 1000 as after,
       extract(epoch from p.due_at - p.pushed_at)::float8 * 1000 as apart,
       extract(epoch from p.due_at - now())::float8 * 1000 as "fromNow"
     from push_due p join messages m on m.conversation_id = p.conversation_id and m.seq = p.seq
     where p.conversation_id = $1 and p.due_at is not null`,
    [conversationId],
  );
  return row;
}

/** Lets only this conversation's notifications become jobs, and returns their number. */
async function handOut(
  conversationId: string,
  secondFactor: 'optional' | 'everyone' = 'optional',
): Promise<number> {
  await query('update push_due set due_at = case when conversation_id = $1 then now() end', [conversationId]);
  return (await enqueueDuePushes(world.server.app.db, secondFactor, 100)).jobs;
}

async function see(person: Person, conversationId: string, seq: number): Promise<void> {
  const { socket } = await watchAs(person, conversationId);
  socket.send({ type: 'seen', conversationId, seq });
  await vi.waitFor(async () => {
    const [row] = await query(
      'select greatest(visitor_seen, owner_seen) as seen from conversations where id = $1',
      [conversationId],
    );
    expect(row.seen).toBeGreaterThanOrEqual(seq);
  }, soon);
  socket.close();
}

test('[PUSH-01] an unseen message is notified once, to each device of the other side, after ten seconds', async () => {
  const { staff, visitor, conversationId, visitorName, staffName } = await pair();
  await world.subscribe(visitor, `${visitorName}-phone`);
  await write(visitor, conversationId, 'Is anyone there?');
  const [waiting] = await due(conversationId);
  expect(waiting).toMatchObject({ to_owner: true, seq: 1, due: true });
  expect((await times(conversationId)).after).toBe(PUSH_AFTER_MS);
  // Not earlier, however slow the machine is.
  await query("update push_due set due_at = due_at + interval '1 minute'");
  expect((await enqueueDuePushes(world.server.app.db, 'optional', 10)).taken).toBe(0);

  await world.deliver();
  const title = `V-${visitor.browser.visitorId.slice(0, 8).toUpperCase()}`;
  expect(received(staffName)).toEqual([expect.objectContaining({ title })]);
  expect(received(visitorName)).toEqual([]);
  await world.deliver();
  expect(received(staffName)).toHaveLength(1);

  await write(staff, conversationId, 'Yes');
  await world.deliver();
  for (const name of [visitorName, `${visitorName}-phone`])
    expect(received(name)).toEqual([
      { kind: 'message', to: 'visitor', conversationId, seq: 2, title: expect.any(String) },
    ]);
  expect(received(staffName)).toHaveLength(1);
});

test('[PUSH-01] a message seen within ten seconds is not notified, and does not delay the next', async () => {
  const { staff, visitor, conversationId, visitorName, staffName } = await pair();
  await write(visitor, conversationId);
  await see(staff, conversationId, 1);
  await write(staff, conversationId);
  await see(visitor, conversationId, 2);
  expect(await world.deliver()).toMatchObject({ jobs: 0 });
  expect([received(visitorName), received(staffName)]).toEqual([[], []]);
  await write(visitor, conversationId);
  expect((await times(conversationId)).after).toBe(PUSH_AFTER_MS);
});

test('[PUSH-01] many messages are one notification, and the next comes at least half a minute later', async () => {
  const { visitor, conversationId, staffName } = await pair();
  for (const word of ['One', 'two', 'three']) await write(visitor, conversationId, word);
  await world.deliver();
  expect(received(staffName)).toEqual([expect.objectContaining({ seq: 3 })]);
  await write(visitor, conversationId, 'four');
  expect((await times(conversationId)).apart).toBe(PUSH_APART_MS);
  await world.deliver();
  expect(received(staffName).map((payload) => (payload as { seq: number }).seq)).toEqual([3, 4]);
});

test('[PUSH-01] a message with a future time does not delay a notification', async () => {
  const { visitor, conversationId } = await pair();
  // As after a failover to a server whose clock is behind.
  await query(`update conversations set last_message_at = now() + interval '1 hour' where id = $1`, [
    conversationId,
  ]);
  await query('update push_due set due_at = null, pushed_at = null where conversation_id = $1', [
    conversationId,
  ]);
  await write(visitor, conversationId);
  expect((await times(conversationId)).fromNow).toBeLessThanOrEqual(PUSH_AFTER_MS);
});

test('[PUSH-01] a notification that failed for a day is dropped; a later message is notified', async () => {
  // The limit applies to all conversations, so those of other tests must not be due.
  await query('update push_due set due_at = null');
  const [old, gone] = [await pair(), await pair()];
  for (const { visitor, conversationId } of [old, gone]) {
    await write(visitor, conversationId);
    await query(`update push_due set due_at = now() - interval '25 hours' where conversation_id = $1`, [
      conversationId,
    ]);
  }
  await write(old.visitor, old.conversationId);
  expect((await times(old.conversationId)).after).toBe(PUSH_AFTER_MS);
  expect(await enqueueDuePushes(world.server.app.db, 'optional', 10)).toEqual({ taken: 1, jobs: 0 });
  expect((await due(gone.conversationId))[0]).toMatchObject({ due: false });
  await world.deliver();
  expect([received(gone.staffName), received(old.staffName)]).toEqual([
    [],
    [expect.objectContaining({ seq: 2 })],
  ]);
});

test('[PUSH-01] a message seen between the job and its sending is not notified', async () => {
  const { staff, visitor, conversationId, staffName } = await pair();
  await write(visitor, conversationId);
  expect(await handOut(conversationId)).toBe(1);
  await see(staff, conversationId, 1);
  await world.runJobs();
  expect(received(staffName)).toEqual([]);
});

test('[PUSH-01] a refused or repeated message is not notified; without subscribers no row is written', async () => {
  const { staff, visitor, conversationId, staffName } = await pair();
  const id = randomUUID();
  const path = `/conversations/${conversationId}/messages`;
  await visitor.call('POST', path, { id, text: 'once' });
  await world.deliver();
  await visitor.call('POST', path, { id, text: 'once' });
  expect((await visitor.call('POST', path, { id, text: 'other' })).body.code).toBe('id_reused');
  expect((await due(conversationId))[0]).toMatchObject({ seq: 1, due: false });
  await staff.call('PUT', `/conversations/${conversationId}/status`, { status: 'blocked' });
  expect((await visitor.call('POST', path, { id: randomUUID(), text: 'more' })).status).not.toBe(200);
  await world.deliver();
  expect(received(staffName)).toHaveLength(1);

  const silent = await createChat(world.server, 'mara-silent');
  await write(silent.visitor, silent.conversationId);
  expect(await due(silent.conversationId)).toEqual([]);
});

test('[PUSH-14] a hand-over notifies the new desk of unseen messages, whether or not the old one was', async () => {
  const to = await pair();
  const handOver = async (staff: Person, conversationId: string) => {
    const path = `/conversations/${conversationId}/transfer`;
    expect((await staff.call('POST', path, { alias: to.alias, note: '' })).status).toBe(200);
    await world.deliver();
    const about = received(to.staffName) as { conversationId: string; seq: number }[];
    return about.filter((payload) => payload.conversationId === conversationId).map(({ seq }) => seq);
  };

  const pushed = await pair();
  await write(pushed.visitor, pushed.conversationId);
  await write(pushed.staff, pushed.conversationId);
  await world.deliver();
  expect(received(pushed.staffName)).toHaveLength(1);
  expect(await handOver(pushed.staff, pushed.conversationId)).toEqual([1]);

  const unheardOf = await pair();
  await write(unheardOf.visitor, unheardOf.conversationId);
  expect(await handOver(unheardOf.staff, unheardOf.conversationId)).toEqual([1]);
  expect(received(unheardOf.staffName)).toEqual([]);

  const silent = await createStaff(world.server, 'mara-unsubscribed');
  const unheard = await createChat(world.server, 'mara-unsubscribed');
  await write(unheard.visitor, unheard.conversationId);
  expect(await due(unheard.conversationId)).toEqual([]);
  expect(await handOver(silent, unheard.conversationId)).toEqual([1]);

  const seen = await pair();
  await write(seen.visitor, seen.conversationId);
  await see(seen.staff, seen.conversationId, 1);
  expect(await handOver(seen.staff, seen.conversationId)).toEqual([]);
});

test('[PUSH-14] [ADMIN-40] a person who signed out, was deactivated or moved, or lost the device gets no notification', async () => {
  const ends: [string, (who: Awaited<ReturnType<typeof pair>>) => Promise<unknown>][] = [
    ['signed out', ({ staff }) => staff.call('POST', '/auth/staff/sign-out')],
    [
      'revoked',
      ({ alias }) =>
        query(
          'update staff_sessions set revoked_at = now() where staff_id in (select id from staff where alias = $1)',
          [alias],
        ),
    ],
    ['dismissed', ({ alias }) => query('update staff set active = false where alias = $1', [alias])],
    // A session without its account's factor has no access and gets no notification.
    [
      'factor not shown',
      ({ alias }) =>
        query(
          `insert into staff_totp (staff_id, secret, last_step) select id, '\\x00', 0 from staff where alias = $1`,
          [alias],
        ),
    ],
    ['moved', ({ alias }) => query(`update staff set alias = 'mara-1' where alias = $1`, [alias])],
    [
      'closed',
      ({ conversationId }) =>
        query(`update conversations set status = 'closed', closed_at = now() where id = $1`, [
          conversationId,
        ]),
    ],
    [
      'unsubscribed',
      ({ staff, staffName }) =>
        staff.call('POST', '/push/unsubscribe', { endpoint: world.service.endpointFor(staffName) }),
    ],
  ];
  // The right ends while a job exists: that job sends nothing, and no other is made.
  for (const [how, end] of ends) {
    const who = await pair();
    await write(who.visitor, who.conversationId);
    const before = await handOut(who.conversationId);
    await end(who);
    const after = await handOut(who.conversationId);
    await world.runJobs();
    expect([how, before, after, received(who.staffName)]).toEqual([how, 1, 0, []]);
  }

  const who = await pair();
  await write(who.staff, who.conversationId);
  expect(await handOut(who.conversationId)).toBe(1);
  await query('update devices set revoked_at = now() where conversation_id = $1', [who.conversationId]);
  expect(await handOut(who.conversationId)).toBe(0);
  await world.runJobs();
  expect(received(who.visitorName)).toEqual([]);
});

test('[FACTOR-02] if everyone needs a second factor, nobody without one is notified after the grace period', async () => {
  const { alias, visitor, conversationId } = await pair();
  await write(visitor, conversationId);
  expect(await handOut(conversationId, 'everyone')).toBe(1);
  await query("update staff set grace_from = now() - interval '8 days' where alias = $1", [alias]);
  expect(await handOut(conversationId, 'everyone')).toBe(0);
  await query(
    'update staff_sessions set second_factor_at = now() where staff_id in (select id from staff where alias = $1)',
    [alias],
  );
  expect(await handOut(conversationId, 'everyone')).toBe(1);
  await world.runJobs();
});

test('[PUSH-09] a notification names the profile or the visitor, has no text, and tells a visitor nothing about staff', async () => {
  const { alias, staff, visitor, conversationId, visitorName, staffName } = await pair();
  await visitor.call('PUT', `/conversations/${conversationId}/visitorName`, { visitorName: 'Ines Kovač' });
  await write(visitor, conversationId, 'a secret word');
  await write(staff, conversationId, 'another secret');
  await world.deliver();
  expect(received(staffName)).toEqual([
    { kind: 'message', to: 'staff', conversationId, seq: 1, title: 'Ines Kovač' },
  ]);
  const [brand] = await query('select display_name from brand');
  expect(received(visitorName)).toEqual([
    { kind: 'message', to: 'visitor', conversationId, seq: 2, title: brand.display_name },
  ]);

  const [person] = await query('select id, email, name from staff where alias = $1', [alias]);
  const [toVisitor] = world.service.received(visitorName);
  const [toStaff] = world.service.received(staffName);
  // Everything sent to the visitor's push service, including the claims of the signed token.
  const { authorization = '', ...headers } = toVisitor?.headers ?? {};
  const claims = authorization.split(/[ .,=]/).map((part) => Buffer.from(part, 'base64url').toString());
  const content = JSON.stringify([toVisitor?.payload, headers, claims]).toLowerCase();
  for (const secret of [alias, person.id, person.email, person.name, 'secret', 'handler', 'owner'])
    expect(content).not.toContain(String(secret).toLowerCase());
  // What a push service can read reveals nothing either: one length, and unique topics.
  expect(JSON.stringify(headers)).not.toContain(conversationId);
  expect([toVisitor?.bytes, toStaff?.bytes]).toEqual([4_096, 4_096]);
  expect(toVisitor?.headers.topic).toMatch(/^[A-Za-z0-9_-]{32}$/);
  expect(toVisitor?.headers.topic).not.toBe(toStaff?.headers.topic);
  expect(Number(toVisitor?.headers.ttl)).toBe(24 * 3_600);
  expect(world.service.refusals).toEqual([]);
});

test('[PUSH-01] each job process looks by itself, and two of them notify once', async () => {
  const { visitor, conversationId, staffName } = await pair();
  const { config, media, log } = world.server.app;
  const parts = {
    config: { ...config, databaseConnections: 3 },
    media,
    push: world.push,
    clock: systemClock,
    log,
  };
  const jobs = [await startJobs(parts), await startJobs(parts)];
  try {
    const { socket } = await watchAs(visitor, conversationId);
    await sendOver(socket, conversationId, 'Hello');
    socket.close();
    await query('update push_due set due_at = now() where conversation_id = $1', [conversationId]);
    await vi.waitFor(() => expect(received(staffName)).toHaveLength(1), soon);
    await vi.waitFor(async () => expect(await query('select 1 from graphile_worker.jobs')).toEqual([]), soon);
  } finally {
    for (const each of jobs) await each.stop();
  }
  expect(received(staffName)).toHaveLength(1);
  expect((await due(conversationId))[0]).toMatchObject({ due: false });
});
