import type { Auth } from '@settee/protocol/calls/call';
import { type CallName, calls } from '@settee/protocol/calls/http';
import { CLOSE_UNAUTHENTICATED } from '@settee/protocol/frames/down';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasRecentProof } from '../src/db/staff/ownSessions.ts';
import { Browser, PASSWORD } from './browser.ts';
import { LiveClient } from './client.ts';
import { auditOf, codeOf, firstStep, newMember, secondStep, ticketFor, withApp } from './factors.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { endGrace } from './people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function change(email: string, what: string): Promise<void> {
  await server.app.db.pool.query(`update staff set ${what} where email = $1`, [email]);
}

/** Moves the session and all its verifications into the past. */
async function age(email: string, minutes: number): Promise<void> {
  await server.app.db.pool.query(
    `update staff_sessions set created_at = created_at - make_interval(mins => $2),
       second_factor_at = second_factor_at - make_interval(mins => $2),
       confirmed_at = confirmed_at - make_interval(mins => $2)
     where staff_id = (select id from staff where email = $1)`,
    [email, minutes],
  );
}

async function socketOf(token: string): Promise<LiveClient['closed'] | 'open'> {
  const client = new LiveClient(server.url, server.app.config.publicUrl);
  await client.opened();
  client.send({ type: 'hello', version: 1_000_000, token });
  await client.until(() => client.closed !== undefined || client.received.length > 0, 'no answer');
  const answer = client.closed ?? 'open';
  client.close();
  return answer;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Makes every call with this `auth`, with ids that do not exist. Returns which are refused with this code. */
async function refusedWith(
  code: string,
  browser: Browser,
  auth: Auth,
): Promise<{ refused: string[]; all: string[] }> {
  const all = (Object.keys(calls) as CallName[]).filter((name) => calls[name].auth === auth);
  const refused: string[] = [];
  for (const name of all) {
    const { method, path } = calls[name];
    const body = method === 'GET' ? undefined : {};
    const reply = await browser.call(method, path.replaceAll(/:[a-zA-Z]+/g, NOBODY), body);
    if (reply.body.code === code) refused.push(name);
  }
  return { refused, all };
}

test('[FACTOR-02] an administrator’s password is enough for seven days after the first sign-in', async () => {
  const { email, browser } = await newMember(server, 'admin');
  expect((await browser.call('GET', '/manage/staff')).status).toBe(200);
  expect((await browser.call('GET', '/queue')).status).toBe(200);
  const first = (await browser.call('POST', '/auth/staff/refresh')).body.staff;
  expect(first).toMatchObject({ mustEnrol: false, adminClosed: false });
  expect(Math.abs(first.enrolBy - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
  // A later sign-in does not extend the grace period.
  await change(email, "grace_from = now() - interval '6 days'");
  const again = (await firstStep(new Browser(server), email)).body.staff;
  expect(Math.abs(again.enrolBy - Date.now() - DAY_MS)).toBeLessThan(60_000);
  expect((await browser.call('GET', '/manage/staff')).status).toBe(200);
});

test('[FACTOR-02] two first sign-ins at the same moment both open a session', async () => {
  const { email } = await newMember(server, 'admin');
  await change(email, 'grace_from = null');
  const both = await Promise.all([1, 2].map(() => firstStep(new Browser(server), email)));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
});

test('[FACTOR-02] [P-03] after seven days the admin area is closed, and the console stays open', async () => {
  const { email, browser } = await newMember(server, 'admin');
  await endGrace(server, email);
  const ofAdmins = await refusedWith('second_factor_required', browser, 'admin');
  expect(ofAdmins.refused).toEqual(ofAdmins.all);
  for (const auth of ['any', 'staff', 'account'] as const) {
    expect((await refusedWith('second_factor_required', browser, auth)).refused).toEqual([]);
  }
  expect(await socketOf(browser.token)).toBe('open');
  const { staff } = (await browser.call('POST', '/auth/staff/refresh')).body;
  expect(staff).toMatchObject({ mustEnrol: false, adminClosed: true });
  const socket = await LiveClient.open(server.url, server.app.config.publicUrl, browser.token);
  socket.send({ type: 'watchManagement' });
  expect((await socket.next('refused')).code).toBe('second_factor_required');
  socket.close();

  const { secret, ticket } = (await browser.call('POST', '/account/totp/begin')).body;
  await browser.call('PUT', '/account/totp', { ticket, code: codeOf(server, secret) });
  expect((await browser.call('GET', '/manage/staff')).status).toBe(200);
  expect((await browser.call('POST', '/auth/staff/refresh')).body.staff).toMatchObject({
    adminClosed: false,
    enrolBy: null,
  });
});

test('[FACTOR-02] a socket that was opened in time ends after the seven days, and opens again for the console', async () => {
  const { email, browser } = await newMember(server, 'admin');
  const socket = await LiveClient.open(server.url, server.app.config.publicUrl, browser.token);
  await endGrace(server, email);
  await socket.until(() => socket.closed !== undefined, 'the socket stays open');
  expect(socket.closed?.code).toBe(CLOSE_UNAUTHENTICATED);
  expect(await socketOf(browser.token)).toBe('open');
});

test('[FACTOR-02] SECOND_FACTOR=everyone: a person without one after seven days can only set one up', async () => {
  const strict = await startTestServer({ config: { secondFactor: 'everyone' } });
  try {
    for (const role of ['handler', 'admin'] as const) {
      const { email, browser } = await newMember(strict, role);
      expect((await browser.call('GET', '/queue')).status).toBe(200);
      await endGrace(strict, email);
      for (const auth of ['any', 'staff'] as const) {
        const { refused, all } = await refusedWith('second_factor_required', browser, auth);
        expect(refused).toEqual(all);
      }
      const refreshed = await browser.call('POST', '/auth/staff/refresh');
      expect(refreshed.body.staff.mustEnrol).toBe(true);
      expect((await browser.call('GET', '/account')).body.account).toMatchObject({
        role,
        totpSince: null,
        passkeys: [],
        recoveryCodesLeft: 0,
      });
      const { secret, ticket } = (await browser.call('POST', '/account/totp/begin')).body;
      await browser.call('PUT', '/account/totp', { ticket, code: codeOf(strict, secret) });
      expect((await browser.call('GET', '/queue')).status).toBe(200);
      expect((await browser.call('DELETE', '/account/totp')).status).toBe(400);
    }
  } finally {
    await strict.close();
  }
});

test('[FACTOR-02] SECOND_FACTOR=optional: nobody is asked, however late; an existing factor must be used', async () => {
  const easy = await startTestServer({ config: { secondFactor: 'optional' } });
  try {
    const { email, browser } = await newMember(easy, 'admin');
    await endGrace(easy, email);
    expect((await browser.call('GET', '/manage/staff')).status).toBe(200);
    expect((await browser.call('POST', '/auth/staff/refresh')).body.staff).toMatchObject({
      mustEnrol: false,
      adminClosed: false,
      enrolBy: null,
    });
    const strong = await withApp(easy, 'admin');
    const first = await firstStep(new Browser(easy), strong.email);
    expect(first.body.secondFactor.methods).toContain('totp');
    expect((await strong.browser.call('DELETE', '/account/totp')).status).toBe(200);
    expect((await strong.browser.call('GET', '/manage/staff')).status).toBe(200);
  } finally {
    await easy.close();
  }
});

test('[FACTOR-10] the first factor keeps this session, and ends those without one', async () => {
  const { email, browser } = await newMember(server, 'admin');
  const elsewhere = new Browser(server);
  elsewhere.token = (await firstStep(elsewhere, email)).body.idToken;
  const { secret, uri, ticket } = (await browser.call('POST', '/account/totp/begin')).body;
  expect(uri).toBe(
    `otpauth://totp/Settee%20settee.test:${encodeURIComponent(email)}?secret=${secret}&issuer=Settee%20settee.test`,
  );
  const wrong = await browser.call('PUT', '/account/totp', { ticket, code: '000000' });
  expect(wrong.body.code).toBe('code_invalid');
  const code = codeOf(server, secret);
  const added = await browser.call('PUT', '/account/totp', { ticket, code });
  expect(added.body.recoveryCodes).toHaveLength(10);
  expect((await browser.call('GET', '/queue')).status).toBe(200);
  expect((await browser.call('POST', '/auth/staff/refresh')).body.staff.mustEnrol).toBe(false);
  expect(await socketOf(browser.token)).toBe('open');
  expect((await elsewhere.call('GET', '/account')).status).toBe(401);
  // The ticket and the code of that step are used up.
  const again = await browser.call('PUT', '/account/totp', { ticket, code });
  expect(again.status).toBe(400);
  const next = await ticketFor(server, email);
  const used = await secondStep(server, next, { method: 'totp', code });
  expect(used.body.code).toBe('second_factor_failed');
});

test('[FACTOR-10] a person who needs a second factor keeps the last one; a handler may remove it', async () => {
  const strong = await withApp(server, 'handler');
  await change(strong.email, "role = 'admin'");
  expect((await strong.browser.call('GET', '/queue')).status).toBe(200);
  const factorless = await strong.browser.call('DELETE', '/account/totp');
  expect(factorless.body.error).toBe('You need a second factor. Add another one before you remove this one.');
  expect((await strong.browser.call('GET', '/account')).body.account.recoveryCodesLeft).toBe(10);
  await change(strong.email, "role = 'handler'");
  expect((await strong.browser.call('DELETE', '/account/totp')).status).toBe(200);
  // No factor is left, so an administrator with an old account has to set one up again.
  expect((await strong.browser.call('GET', '/account')).body.account.recoveryCodesLeft).toBe(0);
  await change(strong.email, "role = 'admin'");
  await endGrace(server, strong.email);
  expect((await strong.browser.call('GET', '/manage/staff')).body.code).toBe('second_factor_required');
});

test('[FACTOR-10] an administrator’s session from before the factor cannot add another by password', async () => {
  const { email, browser } = await withApp(server, 'admin');
  await server.app.db.pool.query(
    `update staff_sessions set second_factor_at = null
     where staff_id = (select id from staff where email = $1)`,
    [email],
  );
  expect((await browser.call('POST', '/account/password/confirm', { password: PASSWORD })).status).toBe(200);
  for (const [method, path] of [
    ['POST', '/account/totp/begin'],
    ['POST', '/account/passkeys/begin'],
    ['DELETE', '/account/totp'],
    ['POST', '/account/recovery-codes'],
  ] as const) {
    expect((await browser.call(method, path)).body.code).toBe('second_factor_required');
  }
});

test('[FACTOR-12] after ten minutes, a change of a factor asks for the password again', async () => {
  const { email, browser } = await withApp(server, 'handler');
  await age(email, 9);
  expect((await browser.call('POST', '/account/passkeys/begin')).status).toBe(200);
  await age(email, 2);
  const stale = [
    ['POST', '/account/totp/begin'],
    ['POST', '/account/passkeys/begin'],
    ['DELETE', '/account/totp'],
    ['POST', '/account/recovery-codes'],
  ] as const;
  for (const [method, path] of stale) {
    const reply = await browser.call(method, path);
    expect([reply.status, reply.body.code]).toEqual([403, 'password_required']);
  }
  const wrong = await browser.call('POST', '/account/password/confirm', { password: 'wrong' });
  expect(wrong.body.error).toBe('That password isn’t right.');
  expect((await browser.call('DELETE', '/account/totp')).status).toBe(403);
  await browser.call('POST', '/account/password/confirm', { password: PASSWORD });
  expect((await browser.call('DELETE', '/account/totp')).status).toBe(200);

  // For an account without a factor, the time counts from its sign-in.
  const old = await newMember(server, 'handler');
  expect((await old.browser.call('POST', '/account/totp/begin')).status).toBe(200);
  await age(old.email, 11);
  expect((await old.browser.call('POST', '/account/totp/begin')).body.code).toBe('password_required');
});

test('[FACTOR-12] an ended session shows nothing, however recently it was used', async () => {
  const { email, browser } = await newMember(server, 'handler');
  const { pool } = server.app.db;
  const { rows } = await pool.query<{ id: string }>(
    'select id from staff_sessions where staff_id = (select id from staff where email = $1)',
    [email],
  );
  const id = rows[0]?.id ?? '';
  expect(await hasRecentProof(pool, id)).toBe(true);
  await browser.call('POST', '/auth/staff/sign-out');
  expect(await hasRecentProof(pool, id)).toBe(false);
});

test('[FACTOR-10] a handler’s session that did not use their factor opens nothing, and ends', async () => {
  const { email, browser } = await withApp(server, 'handler');
  expect((await browser.call('GET', '/queue')).status).toBe(200);
  await server.app.db.pool.query(
    'update staff_sessions set second_factor_at = null where staff_id = (select id from staff where email = $1)',
    [email],
  );
  expect((await browser.call('GET', '/queue')).body.code).toBe('second_factor_required');
  expect((await browser.call('POST', '/auth/staff/refresh')).status).toBe(401);
});

test('[FACTOR-12] the password cannot be guessed in an open session', async () => {
  const { browser } = await newMember(server, 'handler');
  const guess = () => browser.call('POST', '/account/password/confirm', { password: 'a guess' });
  const replies = await Promise.all(Array.from({ length: 8 }, guess));
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(5);
  const right = await browser.call('POST', '/account/password/confirm', { password: PASSWORD });
  expect(right.body.code).toBe('too_many');
});

test('[ACCOUNT-17] whoever enters the password again gets a new secret; the old one ends within a minute', async () => {
  const { email, browser } = await withApp(server, 'handler');
  const refresh = async (from: Browser) => (await from.call('POST', '/auth/staff/refresh')).status;
  for (const [method, path, body] of [
    ['POST', '/account/password/confirm', { password: PASSWORD }],
    ['PUT', '/account/password', { current: PASSWORD, password: 'a new password, long' }],
  ] as const) {
    const thief = browser.copy();
    expect((await browser.call(method, path, body)).status).toBe(200);
    expect(browser.cookies['settee-staff']).not.toBe(thief.cookies['settee-staff']);
    // Another tab may have sent its call before the answer arrived.
    expect([await refresh(browser), await refresh(thief)]).toEqual([200, 200]);
    await age(email, 1);
    expect([path, await refresh(browser), await refresh(thief)]).toEqual([path, 200, 401]);
  }
  const wrong = await browser.call('POST', '/account/password/confirm', { password: 'wrong' });
  expect(wrong.cookies).toEqual({});
});

test('[FACTOR-12] a new password needs the old one, ends all other sessions and keeps this one', async () => {
  const { email, browser } = await newMember(server, 'handler');
  const elsewhere = new Browser(server);
  elsewhere.token = (await firstStep(elsewhere, email)).body.idToken;
  expect((await browser.call('GET', '/account')).body.account.sessions).toHaveLength(2);
  const to = (current: string, password: string) =>
    browser.call('PUT', '/account/password', { current, password });
  expect((await to('wrong', 'a new password, long')).body.error).toBe('That password isn’t right.');
  expect((await to(PASSWORD, 'short')).body.error).toBe('A password has at least 12 characters');
  expect((await to(PASSWORD, email.toUpperCase())).body.error).toMatch('your email address');
  expect((await elsewhere.call('GET', '/queue')).status).toBe(200);
  expect((await to(PASSWORD, 'a new password, long')).status).toBe(200);
  expect((await elsewhere.call('GET', '/queue')).status).toBe(401);
  expect((await browser.call('GET', '/queue')).status).toBe(200);
  expect((await firstStep(new Browser(server), email)).status).toBe(401);
  expect((await firstStep(new Browser(server), email, 'a new password, long')).status).toBe(200);
  expect((await auditOf(server, email)).map(({ action }) => action)).toContain('password.change');
});

test('[FACTOR-12] signing out everywhere else leaves this session alone', async () => {
  const { email, browser } = await newMember(server, 'handler');
  const others = [new Browser(server), new Browser(server)];
  for (const other of others) other.token = (await firstStep(other, email)).body.idToken;
  const ended = await browser.call('POST', '/account/sessions/end-others');
  expect(ended.body).toEqual({ success: true, ended: 2 });
  for (const other of others) expect((await other.call('GET', '/queue')).status).toBe(401);
  expect((await browser.call('GET', '/account')).body.account.sessions).toHaveLength(1);
});

test('[AUDIT-07] adding, replacing and removing a factor is in the log', async () => {
  const { email, browser } = await withApp(server, 'handler');
  const { secret, ticket } = (await browser.call('POST', '/account/totp/begin')).body;
  const moved = await browser.call('PUT', '/account/totp', { ticket, code: codeOf(server, secret) });
  expect(moved.body).toEqual({ success: true, recoveryCodes: null });
  await browser.call('POST', '/account/recovery-codes');
  await browser.call('DELETE', '/account/totp');
  expect((await browser.call('DELETE', '/account/totp')).status).toBe(404);
  const entries = (await auditOf(server, email)).map(({ action, details }) => [action, details]);
  expect(entries).toEqual([
    ['handler.create', expect.anything()],
    ['staff.signIn', { method: 'password' }],
    ['factor.add', { method: 'totp' }],
    ['factor.add', { method: 'totp', replaced: true }],
    ['recovery.renew', {}],
    ['factor.remove', { method: 'totp' }],
  ]);
});
