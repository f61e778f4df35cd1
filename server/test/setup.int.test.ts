import { defaultBrand } from '@settee/protocol/model/brand';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setBrand } from '../src/actions/profile/setBrand.ts';
import { createAdmin } from '../src/actions/staff/createAccount.ts';
import { setupCode } from '../src/auth/setupCode.ts';
import { setupHint } from '../src/cli/setupHint.ts';
import { readInstallationId } from '../src/db/engine/installation.ts';
import { Browser } from './browser.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { inParallel } from './inParallel.ts';
import { createAdministrator, createChat, createStaff } from './people.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ config: { trustProxy: ['loopback'], lookupsPerMinute: 1_000 } });
});
afterEach(() => server.close());

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

test('[ADMIN-14] the printed code creates the first administrator once, signed in', async () => {
  expect((await server.request('GET', '/setup')).body).toEqual({ success: true, needed: true });
  const printed = (await setupHint(server.app)) ?? '';
  expect(printed).toContain(`${server.app.config.publicUrl}/admin/setup#${await code()}`);
  expect(await code()).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);

  const browser = new Browser(server);
  const made = await browser.call('POST', '/setup', {
    // As a person types it.
    code: ` ${(await code()).toLowerCase().replaceAll('-', ' ')}`,
    name: ' Ada Berg ',
    email: 'ada@settee.example',
    password: PASSWORD,
    profileName: ' Mara Lindqvist ',
  });
  expect((await server.request('GET', '/brand')).body.brand.displayName).toBe('Mara Lindqvist');
  expect(made.body).toEqual({ success: true });
  const { body } = await browser.call('POST', '/auth/staff/refresh');
  expect(body.staff).toMatchObject({ name: 'Ada Berg', role: 'admin', mustEnrol: false });
  browser.token = body.idToken;
  expect((await browser.call('GET', '/manage/counts')).status).toBe(200);

  const { rows: audit } = await server.app.db.pool.query('select * from audit');
  expect(audit).toMatchObject([
    { actor: 'setup', action: 'admin.create', target: body.staff.staffId },
    { actor: 'setup', action: 'brand.set', details: { displayName: 'Mara Lindqvist' } },
    { actor: body.staff.staffId, action: 'staff.signIn', details: { method: 'password' } },
  ]);
  expect(JSON.stringify(audit)).not.toContain(await code());
  // The log is permanent, so it must not contain the address.
  expect(JSON.stringify(audit)).not.toContain('ada@settee.example');
  expect((await server.request('GET', '/setup')).body).toEqual({ success: true, needed: false });
  expect(await setupHint(server.app)).toBeUndefined();
});

test('[ADMIN-14] of a hundred parallel attempts through two gateways, one becomes administrator', async () => {
  const other = await server.startAnother();
  const right = await code();
  const tries = Array.from(
    { length: 100 },
    (_, each) => () =>
      fetch(`${each % 2 === 0 ? server.url : other.url}/setup`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          origin: server.app.config.publicUrl,
          'x-forwarded-for': `198.51.100.${each}`,
        },
        body: JSON.stringify({
          code: right,
          name: 'Someone',
          email: `${each}@settee.example`,
          password: PASSWORD,
        }),
      }).then((answer) => answer.status),
  );
  const statuses = await inParallel(server, tries);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(new Set(statuses)).toEqual(new Set([200, 409]));
  expect(await administrators()).toBe(1);
});

test('[ADMIN-14] the code is void for good, also when the administrator leaves or was created by command', async () => {
  const right = await code();
  await createAdmin(server.app, { email: 'eve@settee.example', name: 'Eve', password: PASSWORD }, 'cli');
  expect((await trySetUp({ code: right })).body).toMatchObject({ success: false, code: 'setup_done' });
  await server.app.db.pool.query("update staff set active = false, role = 'handler'");
  const other = await server.startAnother();
  expect(await (await fetch(`${other.url}/setup`)).json()).toEqual({ success: true, needed: false });
  expect((await trySetUp({ code: right })).status).toBe(409);
});

test('[ADMIN-14] another database or secret has another code; a wrong one is refused', async () => {
  const { config } = server.app;
  const id = await readInstallationId(server.app.db);
  expect(setupCode({ secret: `${config.secret}!` }, id)).not.toBe(await code());
  expect(setupCode(config, '00000000-0000-4000-8000-000000000000')).not.toBe(await code());
  for (const wrong of ['0000-0000-0000-0000', `${await code()}0`, 'x', (await code()).slice(0, -1)]) {
    expect((await trySetUp({ code: wrong })).body).toMatchObject({ code: 'code_invalid' });
  }
  expect((await trySetUp({ code: await code(), origin: 'https://evil.example' })).status).toBe(403);
  expect((await trySetUp({ code: await code(), password: 'too short' })).status).toBe(400);
  expect(await administrators()).toBe(0);
});

test('[ADMIN-14] guesses are throttled, per address and in total, across gateways', async () => {
  const wrong = { code: '0000-0000-0000-0000' };
  for (let left = 10; left > 0; left--) expect((await trySetUp(wrong)).status).toBe(403);
  expect((await trySetUp({ code: await code() })).status).toBe(429);
  expect((await trySetUp({ ...wrong, address: '192.0.2.8' })).status).toBe(403);
  await server.app.db.pool.query(`update rate_limits set points = 300 where key = 'setups:all'`);
  expect((await trySetUp({ ...wrong, address: '192.0.2.9' })).status).toBe(429);
  expect(await administrators()).toBe(0);
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
  const handler = await createStaff(server, 'mara-east');
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
  expect((await handler.call('GET', '/manage/first-steps')).status).toBe(403);
  expect((await server.request('GET', '/manage/counts')).status).toBe(401);
});
