import { CLOSE_FINAL } from '@settee/protocol/frames/down';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { networkOf } from '../src/http/client.ts';
import { Browser, handler, PASSWORD } from './browser.ts';
import { LiveClient } from './client.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createAdministrator, createStaff, type Person } from './people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: ['loopback'] } });
});
afterAll(() => server.close());

const HOUR = 1;
const DAY = 24;

async function sessionOf(person: Pick<Person, 'call'>): Promise<string> {
  const { sessions } = (await person.call('GET', '/account')).body.account;
  return sessions.find(({ current }: { current: boolean }) => current).id;
}

/** Moves a time of the session into the past. */
async function age(id: string, column: 'created_at' | 'last_used_at', hours: number): Promise<void> {
  await server.app.db.pool.query(
    `update staff_sessions set ${column} = now() - make_interval(hours => $2, secs => 1) where id = $1`,
    [id, hours],
  );
}

const refresh = (browser: Browser, body?: object) => browser.call('POST', '/auth/staff/refresh', body);

test.each([
  ['a handler', 7 * DAY, 30 * DAY, () => createStaff(server, 'east')],
  ['an administrator', 12 * HOUR, 7 * DAY, () => createAdministrator(server)],
] as const)(
  '[ACCOUNT-05] the session of %s ends when it is idle, and after its longest time',
  async (_, idle, longest, create) => {
    const left = await create();
    const socket = await left.live();
    const id = await sessionOf(left);
    await age(id, 'last_used_at', idle - 1);
    expect((await left.call('GET', '/account')).status).toBe(200);
    // A page that is only open does not extend the session; a person who does something does.
    expect((await refresh(left.browser, { active: false })).status).toBe(200);
    await age(id, 'last_used_at', idle);
    expect((await left.call('GET', '/account')).status).toBe(401);
    await socket.until(() => socket.closed !== undefined, 'the socket of an idle session stays open');
    expect(socket.closed?.code).toBe(CLOSE_FINAL);
    expect((await refresh(left.browser)).status).toBe(401);

    const used = await create();
    const usedId = await sessionOf(used);
    await age(usedId, 'last_used_at', idle - 1);
    expect((await refresh(used.browser)).status).toBe(200);
    const { sessions } = (await used.call('GET', '/account')).body.account;
    expect(Date.now() - sessions[0].lastUsedAt).toBeLessThan(60_000);
    await age(usedId, 'created_at', longest - 1);
    expect((await used.call('GET', '/account')).status).toBe(200);
    await age(usedId, 'created_at', longest);
    expect((await refresh(used.browser)).status).toBe(401);
  },
);

test('[ACCOUNT-05] a promotion applies the limits of administrators to open sessions', async () => {
  const person = await createStaff(server, 'east');
  const id = await sessionOf(person);
  await age(id, 'last_used_at', 13 * HOUR);
  expect((await person.call('GET', '/account')).status).toBe(200);
  await server.app.db.pool.query(
    `update staff set role = 'admin' where id = (select staff_id from staff_sessions where id = $1)`,
    [id],
  );
  expect((await person.call('GET', '/account')).status).toBe(401);
});

test('[ACCOUNT-06] the account lists its sessions: since when, last used, which browser, which network', async () => {
  const { email } = await handler(server);
  const [phone, laptop] = [new Browser(server), new Browser(server)];
  const signIn = async (browser: Browser, headers: Record<string, string>) => {
    const body = { email, password: PASSWORD };
    browser.token = (await browser.call('POST', '/auth/staff/sign-in', body, headers)).body.idToken;
  };
  await signIn(phone, {
    'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
    'x-forwarded-for': '203.0.113.77',
  });
  await signIn(laptop, { 'user-agent': 'curl/8', 'x-forwarded-for': '2001:db8:1:2:3::4' });
  const { sessions } = (await laptop.call('GET', '/account')).body.account;
  expect(sessions).toMatchObject([
    { browser: '', network: '2001:db8:1::*', current: true },
    { browser: 'Firefox on Android', network: '203.0.113.*', current: false },
  ]);
  for (const { createdAt, lastUsedAt } of sessions) {
    expect(Math.abs(Date.now() - createdAt)).toBeLessThan(60_000);
    expect(lastUsedAt).toBe(createdAt);
  }
  // Neither the address nor the header is stored.
  const { rows } = await server.app.db.pool.query('select * from staff_sessions');
  expect(JSON.stringify(rows)).not.toMatch(/203\.0\.113\.77|2001:db8:1:2|Gecko|curl/);
});

test('[ACCOUNT-06] a network is shortened', () => {
  expect(networkOf('198.51.100.23')).toBe('198.51.100.*');
  expect(networkOf('::ffff:198.51.100.23')).toBe('198.51.100.*');
  expect(networkOf('2001:db8::1')).toBe('2001:db8:0::*');
});

test('[ACCOUNT-06] one session can be signed out, with its socket, by its owner only', async () => {
  const { email } = await handler(server);
  const open = async () => {
    const browser = new Browser(server);
    const body = { email, password: PASSWORD };
    browser.token = (await browser.call('POST', '/auth/staff/sign-in', body)).body.idToken;
    return browser;
  };
  const [here, there, third] = [await open(), await open(), await open()];
  // Without a sweep: the announcement alone must close it, also at another gateway.
  const elsewhere = (await server.startAnother({ config: { sweepSeconds: 3_600 } })).url;
  const socket = await LiveClient.open(elsewhere, server.app.config.publicUrl, there.token);
  const id = await sessionOf(there);

  const stranger = await createAdministrator(server);
  for (const [caller, target] of [
    [stranger, id],
    [here, await sessionOf(here)],
  ] as const) {
    const refused = await caller.call('DELETE', `/account/sessions/${target}`);
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
  }
  expect((await there.call('GET', '/queue')).status).toBe(200);

  expect((await here.call('DELETE', `/account/sessions/${id}`)).status).toBe(200);
  await socket.until(() => socket.closed !== undefined, 'the socket stays open');
  expect(socket.closed?.code).toBe(CLOSE_FINAL);
  expect((await there.call('GET', '/queue')).status).toBe(401);
  for (const browser of [here, third]) expect((await browser.call('GET', '/queue')).status).toBe(200);
  expect((await here.call('DELETE', `/account/sessions/${id}`)).status).toBe(404);
});
