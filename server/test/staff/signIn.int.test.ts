import { randomUUID } from 'node:crypto';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireGoodPassword } from '../../src/staff/commonPasswords.ts';
import { hashPassword } from '../../src/staff/passwords.ts';
import { createHandler } from '../../src/staff/people/createAccount.ts';
import { FIRST_DELAY_SECONDS, FREE_FAILURES } from '../../src/staff/signIn/strangerDelay.ts';
import { Browser, handler, openBrowser, PASSWORD, signedInHandler } from '../support/browser.ts';
import { request, startTestServer, type TestServer } from '../support/harness.ts';
import { inParallel } from '../support/inParallel.ts';
import { createAdministrator } from '../support/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: ['loopback'], lookupsPerMinute: 1_000 } });
});
afterAll(() => server.close());

function signIn(email: string, password: string, address = '192.0.2.1') {
  const headers = { 'x-forwarded-for': address };
  return server.request('POST', '/auth/staff/sign-in', { body: { email, password }, headers });
}

async function account(role: string, alias: string | null): Promise<string> {
  const email = `${role}.${randomUUID()}@settee.example`;
  await server.app.db.pool.query(
    "insert into staff (email, name, role, alias, password_hash) values ($1, 'Someone', $2, $3, $4)",
    [email, role, alias, await hashPassword(PASSWORD)],
  );
  return email;
}

async function liveSessions(email: string): Promise<number> {
  const { rows } = await server.app.db.pool.query(
    'select 1 from staff_sessions s join staff on staff.id = staff_id where email = $1 and revoked_at is null',
    [email],
  );
  return rows.length;
}

test('[K-07] [D-06] staff sign in and get role and alias, in the answer and in the token', async () => {
  const { email } = await handler(server);
  const reply = await signIn(email.toUpperCase(), PASSWORD);
  expect(reply.status).toBe(200);
  expect(reply.body.staff).toMatchObject({ name: 'Handler', role: 'handler', alias: 'mara-east' });
  expect(decodeJwt(reply.body.idToken)).toMatchObject({
    sub: reply.body.staff.staffId,
    role: 'handler',
    alias: 'mara-east',
  });
  const admin = await signIn(await account('admin', null), PASSWORD);
  expect(admin.body.staff).toMatchObject({ role: 'admin', alias: null });
  // Without a provider of single sign-on there is nothing to visit.
  expect((await server.request('GET', '/auth/staff/sso')).status).toBe(404);
});

test('[K-07] a refresh reads role and alias again; a signed-out session is over', async () => {
  const browser = await signedInHandler(server);
  const { pool } = server.app.db;
  const { body } = await browser.call('POST', '/auth/staff/refresh');
  expect(body.staff.alias).toBe('mara-east');
  await pool.query("insert into handlers (alias) values ('mara-south')");
  const moved = { role: 'admin', alias: 'mara-south' };
  await pool.query("update staff set role = 'admin', alias = 'mara-south' where id = $1", [
    body.staff.staffId,
  ]);
  expect((await browser.call('POST', '/auth/staff/refresh')).body.staff).toMatchObject(moved);

  const before = browser.copy();
  const out = await browser.call('POST', '/auth/staff/sign-out');
  expect(out.body).toEqual({ success: true });
  expect(out.cookies).toEqual({ 'settee-staff': '' });
  expect((await before.call('POST', '/auth/staff/refresh')).status).toBe(401);
});

test('[AUTH-03] signing out, demotion and deactivation end a token at once', async () => {
  const { pool } = server.app.db;
  const ends: ((browser: Browser, staffId: string) => Promise<unknown>)[] = [
    (browser) => browser.call('POST', '/auth/staff/sign-out'),
    (_, id) => pool.query("update staff set role = 'none' where id = $1", [id]),
    (_, id) => pool.query('update staff set alias = null where id = $1', [id]),
    (_, id) => pool.query('update staff set active = false where id = $1', [id]),
    (_, id) => pool.query("update staff_sessions set expires_at = 'epoch' where staff_id = $1", [id]),
  ];
  for (const end of ends) {
    const browser = await signedInHandler(server);
    expect((await browser.call('GET', '/queue')).status).toBe(200);
    await end(browser, decodeJwt(browser.token).sub ?? '');
    expect((await browser.call('GET', '/queue')).status).toBe(401);
    // The page cannot get another token either.
    expect([401, 403]).toContain((await browser.call('POST', '/auth/staff/refresh')).status);
  }
});

test('[S-13] another role is refused, and no session remains', async () => {
  for (const email of [
    await account('none', null),
    await account('visitor', null),
    await account('handler', null),
  ]) {
    const before = await signedInHandler(server);
    const reply = await before.call('POST', '/auth/staff/sign-in', { email, password: PASSWORD });
    expect(reply.status).toBe(403);
    expect(reply.body).toEqual({
      success: false,
      error: 'Access denied. Handler or admin role required.',
      code: 'access_denied',
    });
    expect(reply.cookies).toEqual({ 'settee-staff': '' });
    expect(await liveSessions(email)).toBe(0);
    // The person who was signed in before in this browser is signed out too.
    expect((await before.call('GET', '/queue')).status).toBe(401);
  }
});

test('[S-13] the next refresh signs out a person who lost the role', async () => {
  const email = await account('handler', 'mara-east');
  const browser = new Browser(server);
  await browser.call('POST', '/auth/staff/sign-in', { email, password: PASSWORD });
  await server.app.db.pool.query("update staff set role = 'none' where email = $1", [email]);
  const reply = await browser.call('POST', '/auth/staff/refresh');
  expect(reply.body.error).toBe('Access denied. Handler or admin role required.');
  expect(reply.cookies).toEqual({ 'settee-staff': '' });
  expect(await liveSessions(email)).toBe(0);
});

test('[AUTH-01] a wrong password, an unknown e-mail and a deactivated account get one answer', async () => {
  const { email } = await handler(server);
  const closed = await account('handler', 'mara-east');
  await server.app.db.pool.query('update staff set active = false where email = $1', [closed]);
  const replies = [
    await signIn(email, 'not the password'),
    await signIn('nobody@settee.example', PASSWORD),
    await signIn(closed, PASSWORD),
  ];
  for (const reply of replies) {
    expect(reply.status).toBe(401);
    expect(reply.body).toEqual({ success: false, error: 'Failed to sign in', code: 'sign_in_failed' });
    expect(reply.cookies).toEqual({});
  }
});

test('[AUTH-02] after five failures an address waits, for that account; the owner elsewhere does not', async () => {
  const { email } = await handler(server);
  const other = await handler(server);
  const from = '198.51.100.7';
  for (let turn = 0; turn < 5; turn++) expect((await signIn(email, 'wrong', from)).status).toBe(401);
  expect((await signIn(email, PASSWORD, from)).body.code).toBe('too_many');
  expect((await signIn(email, PASSWORD, '198.51.100.8')).status).toBe(200);
  expect((await signIn(other.email, PASSWORD, from)).status).toBe(200);
});

test('[AUTH-02] a success resets the failures, and twenty parallel attempts count as five', async () => {
  const { email } = await handler(server);
  const from = '198.51.100.9';
  for (let turn = 0; turn < 4; turn++) await signIn(email, 'wrong', from);
  expect((await signIn(email, PASSWORD, from)).status).toBe(200);
  const tries = Array.from({ length: 20 }, () => () => signIn(email, 'wrong', from));
  const statuses = (await inParallel(server, tries)).map((reply) => reply.status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
});

test('[K-07] anonymous sign-in keeps the visitor of the cookie, or creates one', async () => {
  const browser = await openBrowser(server);
  const { visitorId } = browser;
  await browser.signIn();
  expect(browser.visitorId).toBe(visitorId);
  expect((await openBrowser(server)).visitorId).not.toBe(visitorId);
  const forged = browser.copy();
  const [name = '', value = ''] = Object.entries(browser.cookies)[0] ?? [];
  forged.cookies = { [name]: `00000000${value.slice(8)}` };
  await forged.signIn();
  expect([visitorId, `00000000${visitorId.slice(8)}`]).not.toContain(forged.visitorId);
});

test('[AUTH-04] cookies are only for this site’s pages and hidden from scripts', async () => {
  const line =
    (await openBrowser(server).then((browser) => browser.signIn())).headers.get('set-cookie') ?? '';
  expect(line).toMatch(/^settee-visitor=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/);
  const secure = await server.startAnother({ config: { publicUrl: 'https://chat.example' } });
  const reply = await request(secure, 'POST', '/auth/anonymous');
  expect(reply.headers.get('set-cookie')).toMatch(
    /^__Host-settee-visitor=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
  );
});

test('[AUTH-04] a call with a cookie must come from our own origin', async () => {
  const browser = await signedInHandler(server);
  const { publicUrl } = server.app.config;
  const foreign = ['https://evil.example', 'null', '', `${publicUrl}.evil.example`, `${publicUrl}:81`];
  for (const path of ['/auth/anonymous', '/auth/staff/refresh', '/auth/staff/sign-out']) {
    for (const origin of foreign) {
      const reply = await browser.call('POST', path, undefined, { origin });
      expect([reply.status, reply.body.code], `${path} from ${origin}`).toEqual([403, 'access_denied']);
    }
    // No origin at all: outside a browser fetch sends none.
    expect((await fetch(server.url + path, { method: 'POST' })).status).toBe(403);
  }
  expect((await browser.call('GET', '/queue')).status).toBe(200);
  const { email } = await handler(server);
  const login = await server.request('POST', '/auth/staff/sign-in', {
    body: { email, password: PASSWORD },
    headers: { origin: 'https://evil.example' },
  });
  expect(login.status).toBe(403);
});

let last = 0;
const nextAddress = () => ({ 'x-forwarded-for': `10.9.${Math.floor(++last / 250)}.${last % 250}` });

/** A wrong password from an address that nobody used before. */
function guess(email: string, password = 'wrong') {
  return server.request('POST', '/auth/staff/sign-in', { body: { email, password }, headers: nextAddress() });
}

function signInWith(browser: Browser, email: string, password = PASSWORD) {
  return browser.call('POST', '/auth/staff/sign-in', { email, password }, nextAddress());
}

/** Lets the counters believe that this time passed. */
async function letPass(seconds: number): Promise<void> {
  await server.app.db.pool.query('update rate_limits set expire = expire - $1', [seconds * 1_000]);
}

/** Ten wrong passwords from three addresses, which are then no longer new to this account. */
async function attack(email: string): Promise<[string, string, string]> {
  const next = () => nextAddress()['x-forwarded-for'];
  const addresses: [string, string, string] = [next(), next(), next()];
  for (let turn = 0; turn < FREE_FAILURES; turn++)
    expect((await signIn(email, 'wrong', addresses[turn % 3])).status).toBe(401);
  return addresses;
}

const wait = (reply: Awaited<ReturnType<typeof guess>>) => Number(reply.headers.get('retry-after'));

test('[ACCOUNT-03] guesses from known addresses wait longer and longer, one at a time', async () => {
  const waits = [FIRST_DELAY_SECONDS, 2 * FIRST_DELAY_SECONDS, 4 * FIRST_DELAY_SECONDS];
  for (const email of [(await handler(server)).email, `${randomUUID()}@nobody.example`]) {
    const addresses = await attack(email);
    for (const [turn, longest] of waits.entries()) {
      expect((await signIn(email, 'wrong', addresses[turn])).status).toBe(401);
      const refused = await signIn(email, 'wrong', addresses[2]);
      expect([refused.status, refused.body.code]).toEqual([429, 'too_many']);
      expect(wait(refused)).toBeGreaterThan(longest / 2);
      expect(wait(refused)).toBeLessThanOrEqual(longest);
      await letPass(longest);
    }
  }
});

test('[ACCOUNT-03] guesses from new addresses wait for each other only, a minute at most', async () => {
  const { email } = await handler(server);
  for (let turn = 0; turn < FREE_FAILURES; turn++) expect((await guess(email)).status).toBe(401);
  for (let turn = 0; turn < 4; turn++) {
    expect((await guess(email)).status).toBe(401);
    const refused = await guess(email);
    expect(refused.status).toBe(429);
    expect(wait(refused)).toBeLessThanOrEqual(FIRST_DELAY_SECONDS);
    await letPass(FIRST_DELAY_SECONDS);
  }
});

test('[ACCOUNT-03] strangers who go on guessing do not keep the owner out of a new browser', async () => {
  const { email } = await handler(server);
  const addresses = await attack(email);
  // They hold the turn of their addresses.
  expect((await signIn(email, 'wrong', addresses[0])).status).toBe(401);
  expect((await signIn(email, 'wrong', addresses[1])).status).toBe(429);
  expect((await signInWith(new Browser(server), email)).status).toBe(200);
});

test('[ACCOUNT-03] asking again while one has to wait makes nothing worse', async () => {
  const { email } = await handler(server);
  await attack(email);
  const own = '198.51.100.30';
  expect((await guess(email)).status).toBe(401);
  for (let turn = 0; turn < 12; turn++) {
    const refused = await signIn(email, PASSWORD, own);
    expect(refused.status).toBe(429);
    expect(wait(refused)).toBeLessThanOrEqual(FIRST_DELAY_SECONDS);
  }
  await letPass(FIRST_DELAY_SECONDS);
  expect((await signIn(email, PASSWORD, own)).status).toBe(200);
});

test('[ACCOUNT-03] forty parallel guesses through two gateways count like one after the other', async () => {
  const { email } = await handler(server);
  const other = await server.startAnother();
  const body = { email, password: 'wrong' };
  const guesses = Array.from(
    { length: 40 },
    (_, at) => () =>
      at % 2 === 0
        ? guess(email)
        : request(other, 'POST', '/auth/staff/sign-in', { body, headers: nextAddress() }),
  );
  const replies = await inParallel(server, guesses);
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(FREE_FAILURES + 1);
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(40 - FREE_FAILURES - 1);
});

test('a browser that the account used is not delayed, and has its own limit', async () => {
  const { email } = await handler(server);
  const known = new Browser(server);
  expect((await signInWith(known, email)).status).toBe(200);
  const colleague = new Browser(server);
  await signInWith(colleague, (await handler(server)).email);

  for (let turn = 0; turn <= FREE_FAILURES; turn++) await guess(email);
  expect((await guess(email, PASSWORD)).status).toBe(429);
  expect((await signInWith(new Browser(server), email)).status).toBe(429);
  // The mark of another account does not help, nor does one that was changed.
  expect((await signInWith(colleague, email)).status).toBe(429);
  const forged = known.copy();
  const mark = known.cookies['settee-known'] ?? '';
  forged.cookies['settee-known'] = (mark.startsWith('A') ? 'B' : 'A') + mark.slice(1);
  expect((await signInWith(forged, email)).status).toBe(429);

  expect((await signInWith(known, email)).status).toBe(200);
  // A copied mark allows few guesses, wherever they come from.
  const thief = known.copy();
  const statuses = [];
  for (let turn = 0; turn < 7; turn++) statuses.push((await signInWith(thief, email, 'wrong')).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
});

const COMMON = ['password1234', 'Qwerty123456', '123456789012', 'PASSWORDPASSWORD', 'welcome12345'];
const ana = { name: 'Ana Kovač', email: 'ana.k@desk.example' };

function problem(password: string): string | undefined {
  try {
    requireGoodPassword(password, ana);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test('[ACCOUNT-01] common passwords are refused wherever one is set', async () => {
  for (const password of COMMON)
    expect([password, problem(password)]).toEqual([password, peopleTexts.passwordIsCommon]);

  const refused = { status: 400, body: { code: 'bad_request', error: peopleTexts.passwordIsCommon } };
  const [password] = COMMON as [string];
  const admin = await createAdministrator(server);
  const change = { current: PASSWORD, password };
  expect(await admin.call('PUT', '/account/password', change)).toMatchObject(refused);

  const { body } = await admin.call('POST', '/manage/staff', { ...ana, role: 'handler', alias: 'east' });
  const token = body.link.slice(body.link.indexOf('#') + 1);
  const link = (chosen: string) =>
    server.request('POST', '/auth/staff/password', { body: { token, password: chosen } });
  expect(await link(password)).toMatchObject(refused);
  expect((await link(PASSWORD)).status).toBe(200);

  const byCommand = createHandler(server.app, { ...ana, alias: 'east', password }, 'cli');
  await expect(byCommand).rejects.toThrow(peopleTexts.passwordIsCommon);
});

test('the product, the person and their address are no passwords, also with digits or repeated', () => {
  for (const password of [
    'settee123456',
    'SetteeSettee!',
    'Ana Kovač 1990',
    'anakovač2026!!',
    'ana.k@desk.example',
    'AnaK-AnaK-AnaK',
  ]) {
    expect([password, problem(password)]).toEqual([password, peopleTexts.passwordIsKnown]);
  }
  for (const password of ['four words nobody guesses', '839 201 774 615', 'my settee is red', PASSWORD]) {
    expect([password, problem(password)]).toEqual([password, undefined]);
  }
});
