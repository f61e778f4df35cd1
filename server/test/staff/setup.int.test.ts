import { defaultBrand } from '@settee/protocol/model/brand';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readInstallationId } from '../../src/platform/db/installation.ts';
import { setBrand } from '../../src/profile/setBrand.ts';
import { setupCode } from '../../src/staff/signIn/setupCode.ts';
import { setupHint } from '../../src/staff/signIn/setupHint.ts';
import { Browser } from '../support/browser.ts';
import { request, startTestServer, type TestServer } from '../support/harness.ts';
import { inParallel } from '../support/inParallel.ts';
import { createAdministrator, createChat, createStaff } from '../support/people.ts';

// One installation from its first start on: the tests continue one another.
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: ['loopback'], lookupsPerMinute: 1_000 } });
});
afterAll(() => server.close());

const PASSWORD = 'a password that is long enough';

async function code(): Promise<string> {
  return setupCode(server.app.config, await readInstallationId(server.app.db));
}

type Try = { code: string; email?: string; password?: string; address?: string; origin?: string };

function trySetUp({ code, email = 'ada@settee.example', password = PASSWORD, address, origin }: Try) {
  return server.request('POST', '/setup', {
    body: { code, name: 'Ada Berg', email, password },
    headers: { 'x-forwarded-for': address ?? '192.0.2.7', ...(origin && { origin }) },
  });
}

async function administrators(): Promise<number> {
  const { rows } = await server.app.db.pool.query("select from staff where role = 'admin'");
  return rows.length;
}

test('another database or secret has another code; a wrong one is refused', async () => {
  const { config } = server.app;
  const id = await readInstallationId(server.app.db);
  expect(setupCode({ secret: `${config.secret}!` }, id)).not.toBe(await code());
  expect(setupCode(config, '00000000-0000-4000-8000-000000000000')).not.toBe(await code());
  for (const wrong of ['0000-0000-0000-0000', `${await code()}0`, 'x', (await code()).slice(0, -1)]) {
    expect((await trySetUp({ code: wrong })).body).toMatchObject({ code: 'code_invalid' });
  }
  expect((await trySetUp({ code: await code(), origin: 'https://evil.example' })).status).toBe(403);
  for (const password of ['too short', 'password1234'])
    expect((await trySetUp({ code: await code(), password })).status).toBe(400);
  expect(await administrators()).toBe(0);
});

test('[ADMIN-14] guesses are throttled, per address and in total, across gateways', async () => {
  await server.app.db.pool.query('delete from rate_limits');
  const wrong = { code: '0000-0000-0000-0000' };
  for (let left = 10; left > 0; left--) expect((await trySetUp(wrong)).status).toBe(403);
  expect((await trySetUp({ code: await code() })).status).toBe(429);
  expect((await trySetUp({ ...wrong, address: '192.0.2.8' })).status).toBe(403);
  await server.app.db.pool.query(`update rate_limits set points = 300 where key = 'setups:all'`);
  expect((await trySetUp({ ...wrong, address: '192.0.2.9' })).status).toBe(429);
  expect(await administrators()).toBe(0);
  await server.app.db.pool.query('delete from rate_limits');
});

test('[ADMIN-14] of twenty parallel attempts with the printed code, at two gateways, one becomes administrator, signed in', async () => {
  expect((await server.request('GET', '/setup')).body).toEqual({ success: true, needed: true });
  expect(await setupHint(server.app)).toContain(`${server.app.config.publicUrl}/admin/setup#${await code()}`);
  expect(await code()).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
  // As a person types it.
  const typed = ` ${(await code()).toLowerCase().replaceAll('-', ' ')}`;
  const other = await server.startAnother();
  const tries = Array.from({ length: 20 }, (_, each) => () => {
    const body = { code: typed, name: ' Ada Berg ', email: `${each}@settee.example`, password: PASSWORD };
    const what = { body, headers: { 'x-forwarded-for': `198.51.100.${each}` } };
    return each % 2 === 0 ? server.request('POST', '/setup', what) : request(other, 'POST', '/setup', what);
  });
  const replies = await inParallel(server, tries);
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array.from({ length: 19 }, () => 409),
  ]);
  expect(await administrators()).toBe(1);

  const browser = new Browser(server);
  browser.cookies = replies.find(({ status }) => status === 200)?.cookies ?? {};
  const { body } = await browser.call('POST', '/auth/staff/refresh');
  expect(body.staff).toMatchObject({ name: 'Ada Berg', role: 'admin', mustEnrol: false });
  browser.token = body.idToken;
  expect((await browser.call('GET', '/manage/counts')).status).toBe(200);
  const { rows: audit } = await server.app.db.pool.query('select * from audit');
  expect(audit).toMatchObject([
    { actor: 'setup', action: 'admin.create', target: body.staff.staffId },
    { actor: body.staff.staffId, action: 'staff.signIn', details: { method: 'password' } },
  ]);
  // The log is permanent, so it must contain neither the code nor the address.
  for (const secret of [await code(), '@settee.example']) expect(JSON.stringify(audit)).not.toContain(secret);
  expect((await server.request('GET', '/setup')).body).toEqual({ success: true, needed: false });
  expect(await setupHint(server.app)).toBeUndefined();
});

test('[ADMIN-14] the code is void for good, also when the administrator leaves', async () => {
  const right = await code();
  expect((await trySetUp({ code: right })).body).toMatchObject({ success: false, code: 'setup_done' });
  await server.app.db.pool.query("update staff set active = false, role = 'handler'");
  const other = await server.startAnother();
  expect(await (await fetch(`${other.url}/setup`)).json()).toEqual({ success: true, needed: false });
  expect((await trySetUp({ code: right })).status).toBe(409);
});

test('the data decides which of the three steps are done; counts show open chats and who answers', async () => {
  const admin = await createAdministrator(server);
  const steps = async () => (await admin.call('GET', '/manage/first-steps')).body;
  expect(await steps()).toEqual({ success: true, profile: false, handler: false, invite: false });
  expect((await admin.call('GET', '/manage/counts')).body).toEqual({
    success: true,
    open: 0,
    handlers: 0,
    disabledWebhooks: 0,
  });
  await server.app.db.pool.query("update brand set display_name = 'Mara'");
  await createStaff(server, 'mara-east');
  expect(await steps()).toMatchObject({ profile: true, handler: true, invite: false });
  await createChat(server, 'mara-east');
  expect(await steps()).toMatchObject({ profile: true, handler: true, invite: true });
  expect((await admin.call('GET', '/manage/counts')).body).toEqual({
    success: true,
    open: 1,
    handlers: 1,
    disabledWebhooks: 0,
  });
  // The profile has its default name again, and retention has removed the invites.
  await server.app.db.pool.query('update brand set display_name = $1', [defaultBrand.displayName]);
  expect(await steps()).toMatchObject({ profile: false });
  await setBrand(server.app, { verified: true }, 'test');
  await server.asOwner(
    'truncate invites, conversations, devices, messages, media, push_due, notes, blocks cascade',
  );
  expect(await steps()).toMatchObject({ profile: true, handler: true, invite: true });
});
