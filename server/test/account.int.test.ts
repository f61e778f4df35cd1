import { type CallName, calls } from '@settee/protocol/http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFresh } from '../src/db/ownSessions.ts';
import { Browser, PASSWORD } from './browser.ts';
import { LiveClient } from './client.ts';
import { auditOf, codeOf, firstStep, newMember, secondStep, ticketFor, withApp } from './factors.ts';
import { startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function change(email: string, what: string): Promise<void> {
  await server.app.db.pool.query(`update staff set ${what} where email = $1`, [email]);
}

/** As if the session had been opened, and everything shown in it, so long ago. */
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
  client.say({ type: 'hello', version: 1_000_000, token });
  await client.until(() => client.closed !== undefined || client.heard.length > 0, 'no answer');
  const answer = client.closed ?? 'open';
  client.close();
  return answer;
}

test('[OPEN-140] an administrator without a factor is refused every call but those to set one up, and the socket', async () => {
  const { browser } = await newMember(server, 'admin');
  const id = '00000000-0000-4000-8000-000000000000';
  const refused: string[] = [];
  for (const name of Object.keys(calls) as CallName[]) {
    const { auth, method, path } = calls[name];
    if (!['any', 'staff', 'admin'].includes(auth)) continue;
    const body = method === 'GET' ? undefined : {};
    const reply = await browser.call(method, path.replaceAll(/:[a-zA-Z]+/g, id), body);
    expect([name, reply.status, reply.body.code]).toEqual([name, 403, 'second_factor_required']);
    refused.push(name);
  }
  expect(refused).toEqual(expect.arrayContaining(['readQueue', 'readConversation', 'setStatus']));
  expect(await socketOf(browser.token)).toMatchObject({ code: 4000, reason: 'signed_out' });
  const refreshed = await browser.call('POST', '/auth/staff/refresh');
  expect(refreshed.body.staff.mustEnrol).toBe(true);
  expect((await browser.call('GET', '/account')).body.account).toMatchObject({
    role: 'admin',
    totpSince: null,
    passkeys: [],
    recoveryCodesLeft: 0,
  });
});

test('[OPEN-140] the first factor opens this session, and ends those that showed none', async () => {
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
  // The ticket is spent, and the code of that step too.
  const again = await browser.call('PUT', '/account/totp', { ticket, code });
  expect(again.status).toBe(400);
  const next = await ticketFor(server, email);
  const used = await secondStep(server, next, { method: 'totp', code });
  expect(used.body.code).toBe('second_factor_failed');
});

test('[OPEN-140] who becomes an administrator needs a factor at once; who has one goes on; a handler needs none', async () => {
  const plain = await newMember(server, 'handler');
  expect((await plain.browser.call('GET', '/queue')).status).toBe(200);
  await change(plain.email, "role = 'admin'");
  expect((await plain.browser.call('GET', '/queue')).body.code).toBe('second_factor_required');
  await change(plain.email, "role = 'handler'");
  expect((await plain.browser.call('GET', '/queue')).status).toBe(200);

  const strong = await withApp(server, 'handler');
  await change(strong.email, "role = 'admin'");
  expect((await strong.browser.call('GET', '/queue')).status).toBe(200);
  const factorless = await strong.browser.call('DELETE', '/account/totp');
  expect(factorless.body.error).toBe(
    'Administrators need a second factor. Add another one before you remove this.',
  );
  expect((await strong.browser.call('GET', '/account')).body.account.recoveryCodesLeft).toBe(10);
  await change(strong.email, "role = 'handler'");
  expect((await strong.browser.call('DELETE', '/account/totp')).status).toBe(200);
  // Nothing is left to have been shown: promoted again, it has to be set up again.
  expect((await strong.browser.call('GET', '/account')).body.account.recoveryCodesLeft).toBe(0);
  await change(strong.email, "role = 'admin'");
  expect((await strong.browser.call('GET', '/queue')).body.code).toBe('second_factor_required');
});

test('[OPEN-140] an administrator’s session from before there was a factor cannot add another by password', async () => {
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

test('[OPEN-142] ten minutes after it was shown, what changes a factor asks for the password again', async () => {
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
  expect(wrong.body.error).toBe('That password is not right.');
  expect((await browser.call('DELETE', '/account/totp')).status).toBe(403);
  await browser.call('POST', '/account/password/confirm', { password: PASSWORD });
  expect((await browser.call('DELETE', '/account/totp')).status).toBe(200);

  // An account without a factor counts from its sign-in.
  const old = await newMember(server, 'handler');
  expect((await old.browser.call('POST', '/account/totp/begin')).status).toBe(200);
  await age(old.email, 11);
  expect((await old.browser.call('POST', '/account/totp/begin')).body.code).toBe('password_required');
});

test('[OPEN-142] a session that ended shows nothing, however lately it was used', async () => {
  const { email, browser } = await newMember(server, 'handler');
  const { sql } = server.app.db;
  const { id } = await sql
    .selectFrom('staff_sessions')
    .select('id')
    .where('staff_id', '=', sql.selectFrom('staff').select('id').where('email', '=', email))
    .executeTakeFirstOrThrow();
  expect(await isFresh(sql, id, { hasFactor: false })).toBe(true);
  await browser.call('POST', '/auth/staff/sign-out');
  expect(await isFresh(sql, id, { hasFactor: false })).toBe(false);
});

test('[OPEN-140] a handler’s session that never showed the factor they have opens nothing, and ends', async () => {
  const { email, browser } = await withApp(server, 'handler');
  expect((await browser.call('GET', '/queue')).status).toBe(200);
  await server.app.db.pool.query(
    'update staff_sessions set second_factor_at = null where staff_id = (select id from staff where email = $1)',
    [email],
  );
  expect((await browser.call('GET', '/queue')).body.code).toBe('second_factor_required');
  expect((await browser.call('POST', '/auth/staff/refresh')).status).toBe(401);
});

test('[OPEN-142] the password cannot be guessed in an open session', async () => {
  const { browser } = await newMember(server, 'handler');
  const guess = () => browser.call('POST', '/account/password/confirm', { password: 'a guess' });
  const replies = await Promise.all(Array.from({ length: 8 }, guess));
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(5);
  const right = await browser.call('POST', '/account/password/confirm', { password: PASSWORD });
  expect(right.body.code).toBe('too_many');
});

test('[OPEN-142] a new password needs the old one, ends all other sessions and keeps this one', async () => {
  const { email, browser } = await newMember(server, 'handler');
  const elsewhere = new Browser(server);
  elsewhere.token = (await firstStep(elsewhere, email)).body.idToken;
  expect((await browser.call('GET', '/account')).body.account.otherSessions).toBe(1);
  const to = (current: string, password: string) =>
    browser.call('PUT', '/account/password', { current, password });
  expect((await to('wrong', 'a new password, long')).body.error).toBe('That password is not right.');
  expect((await to(PASSWORD, 'short')).body.error).toBe('A password has at least 12 characters');
  expect((await to(PASSWORD, email.toUpperCase())).body.error).toMatch('name or e-mail');
  expect((await elsewhere.call('GET', '/queue')).status).toBe(200);
  expect((await to(PASSWORD, 'a new password, long')).status).toBe(200);
  expect((await elsewhere.call('GET', '/queue')).status).toBe(401);
  expect((await browser.call('GET', '/queue')).status).toBe(200);
  expect((await firstStep(new Browser(server), email)).status).toBe(401);
  expect((await firstStep(new Browser(server), email, 'a new password, long')).status).toBe(200);
  expect((await auditOf(server, email)).map(({ action }) => action)).toContain('password.change');
});

test('[OPEN-142] signing out everywhere else leaves this session alone', async () => {
  const { email, browser } = await newMember(server, 'handler');
  const others = [new Browser(server), new Browser(server)];
  for (const other of others) other.token = (await firstStep(other, email)).body.idToken;
  const ended = await browser.call('POST', '/account/sessions/end-others');
  expect(ended.body).toEqual({ success: true, ended: 2 });
  for (const other of others) expect((await other.call('GET', '/queue')).status).toBe(401);
  expect((await browser.call('GET', '/account')).body.account.otherSessions).toBe(0);
});

test('[OPEN-143] adding, replacing and removing a factor stand in the log', async () => {
  const { email, browser } = await withApp(server, 'handler');
  const { secret, ticket } = (await browser.call('POST', '/account/totp/begin')).body;
  const moved = await browser.call('PUT', '/account/totp', { ticket, code: codeOf(server, secret) });
  expect(moved.body).toEqual({ success: true, recoveryCodes: null });
  await browser.call('POST', '/account/recovery-codes');
  await browser.call('DELETE', '/account/totp');
  expect((await browser.call('DELETE', '/account/totp')).status).toBe(404);
  const said = (await auditOf(server, email)).map(({ action, details }) => [action, details]);
  expect(said).toEqual([
    ['handler.create', expect.anything()],
    ['staff.signIn', { method: 'password' }],
    ['factor.add', { method: 'totp' }],
    ['factor.add', { method: 'totp', replaced: true }],
    ['recovery.renew', {}],
    ['factor.remove', { method: 'totp' }],
  ]);
});
