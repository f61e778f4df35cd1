import type { Auth } from '@settee/protocol/calls/call';
import { type CallName, calls } from '@settee/protocol/calls/http';
import { CLOSE_FINAL, CLOSE_UNAUTHENTICATED } from '@settee/protocol/frames/down';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser, handler, PASSWORD } from '../support/browser.ts';
import { LiveClient } from '../support/client.ts';
import { auditOf, codeOf, firstStep, newMember, secondStep, ticketFor, withApp } from '../support/factors.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { createAdministrator, createStaff, endGrace, type Person } from '../support/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { trustProxy: ['loopback'] } });
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
  expect((await to(PASSWORD, email.toUpperCase())).body.error).toMatch('your e-mail address');
  expect((await elsewhere.call('GET', '/queue')).status).toBe(200);
  expect((await to(PASSWORD, 'a new password, long')).status).toBe(200);
  expect((await elsewhere.call('GET', '/queue')).status).toBe(401);
  expect((await browser.call('GET', '/queue')).status).toBe(200);
  expect((await firstStep(new Browser(server), email)).status).toBe(401);
  expect((await firstStep(new Browser(server), email, 'a new password, long')).status).toBe(200);
  expect((await auditOf(server, email)).map(({ action }) => action)).toContain('password.change');
});

const HOUR = 1;
const DAY = 24;

async function sessionOf(person: Pick<Person, 'call'>): Promise<string> {
  const { sessions } = (await person.call('GET', '/account')).body.account;
  return sessions.find(({ current }: { current: boolean }) => current).id;
}

/** Moves a time of the session into the past. */
async function backdate(id: string, column: 'created_at' | 'last_used_at', hours: number): Promise<void> {
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
    await backdate(id, 'last_used_at', idle - 1);
    expect((await left.call('GET', '/account')).status).toBe(200);
    // A page that is only open does not extend the session; a person who does something does.
    expect((await refresh(left.browser, { active: false })).status).toBe(200);
    await backdate(id, 'last_used_at', idle);
    expect((await left.call('GET', '/account')).status).toBe(401);
    await socket.until(() => socket.closed !== undefined, 'the socket of an idle session stays open');
    expect(socket.closed?.code).toBe(CLOSE_FINAL);
    expect((await refresh(left.browser)).status).toBe(401);

    const used = await create();
    const usedId = await sessionOf(used);
    await backdate(usedId, 'last_used_at', idle - 1);
    expect((await refresh(used.browser)).status).toBe(200);
    const { sessions } = (await used.call('GET', '/account')).body.account;
    expect(Date.now() - sessions[0].lastUsedAt).toBeLessThan(60_000);
    await backdate(usedId, 'created_at', longest - 1);
    expect((await used.call('GET', '/account')).status).toBe(200);
    await backdate(usedId, 'created_at', longest);
    expect((await refresh(used.browser)).status).toBe(401);
  },
);

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

test('one session, or all others, can be signed out, with the socket, by their owner only', async () => {
  const { email } = await handler(server);
  const open = async () => {
    const browser = new Browser(server);
    browser.token = (await firstStep(browser, email)).body.idToken;
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
  const ended = await here.call('POST', '/account/sessions/end-others');
  expect(ended.body).toEqual({ success: true, ended: 1 });
  expect((await third.call('GET', '/queue')).status).toBe(401);
  expect((await here.call('GET', '/queue')).status).toBe(200);
});
