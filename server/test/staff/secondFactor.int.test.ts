import { afterAll, beforeAll, expect, test } from 'vitest';
import { FREE_FAILURES } from '../../src/staff/signIn/strangerDelay.ts';
import { Authenticator } from '../support/authenticator.ts';
import { Browser, PASSWORD } from '../support/browser.ts';
import { auditOf, codeOf, firstStep, newMember, secondStep, ticketFor, withApp } from '../support/factors.ts';
import { type FakeClock, fakeClock } from '../support/fakeClock.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';

let server: TestServer;
let clock: FakeClock;
beforeAll(async () => {
  // Time stands still, at the start of a step of 30 s: codes and tickets expire when the test says so.
  clock = fakeClock(Date.now() - (Date.now() % 30_000));
  server = await startTestServer({ clock, config: { trustProxy: ['loopback'] } });
});
afterAll(() => server.close());

const totp = (code: string) => ({ method: 'totp', code });

async function exec(statement: string, values: unknown[]): Promise<unknown[]> {
  return (await server.app.db.pool.query(statement, values)).rows;
}

test('[FACTOR-06] with an app set up, the password alone opens nothing: the code from the app does', async () => {
  const { email, secret } = await withApp(server, 'handler');
  const browser = new Browser(server);
  const first = await firstStep(browser, email);
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    success: true,
    secondFactor: { ticket: expect.any(String), methods: ['totp', 'recovery'] },
  });
  expect(first.cookies).toEqual({});
  const { ticket } = first.body.secondFactor;
  const wrong = await secondStep(server, ticket, totp('000000'));
  expect([wrong.status, wrong.body.code]).toEqual([401, 'second_factor_failed']);
  expect(wrong.cookies).toEqual({});

  const right = await secondStep(server, ticket, totp(codeOf(server, secret)));
  expect(right.body.staff).toMatchObject({ role: 'handler', mustEnrol: false });
  const queue = await server.request('GET', '/queue', { token: right.body.idToken });
  expect(queue.status).toBe(200);
});

test('[FACTOR-06] no code counts twice, nor one older than the last; one step of drift is accepted', async () => {
  const { email, secret } = await withApp(server, 'handler');
  const tryStep = async (steps: number) =>
    (await secondStep(server, await ticketFor(server, email), totp(codeOf(server, secret, steps)))).status;
  expect(await tryStep(-1)).toBe(401);
  expect(await tryStep(-2)).toBe(401);
  expect(await tryStep(2)).toBe(401);
  expect(await tryStep(1)).toBe(200);
  expect(await tryStep(1)).toBe(401);
  expect(await tryStep(0)).toBe(401);

  const twin = await withApp(server, 'handler');
  const tickets = await Promise.all(Array.from({ length: 4 }, () => ticketFor(server, twin.email)));
  const code = codeOf(server, twin.secret);
  const replies = await Promise.all(tickets.map((ticket) => secondStep(server, ticket, totp(code))));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('[FACTOR-06] the table contains no secret: neither of the app nor a recovery code', async () => {
  const { email, secret, recoveryCodes } = await withApp(server, 'admin');
  const rows = await exec(
    `select encode(totp.secret, 'escape') as sealed, totp.secret as bytes, codes.hash
     from staff join staff_totp totp on totp.staff_id = staff.id
     join staff_recovery_codes codes on codes.staff_id = staff.id where email = $1`,
    [email],
  );
  expect(rows).toHaveLength(10);
  const stored = JSON.stringify(
    rows.map((row) =>
      Object.values(row as object).map((value) => `${value} ${Buffer.from(value).toString()}`),
    ),
  );
  for (const word of [secret, ...recoveryCodes.flatMap((code) => [code, code.replaceAll('-', '')])]) {
    expect(stored.includes(word)).toBe(false);
  }
});

test('[FACTOR-06] a secret that is copied to another account works for neither', async () => {
  const mine = await withApp(server, 'handler');
  const theirs = await withApp(server, 'handler');
  await exec(
    `update staff_totp set secret = (select secret from staff_totp join staff on id = staff_id where email = $1)
     where staff_id = (select id from staff where email = $2)`,
    [mine.email, theirs.email],
  );
  const ticket = await ticketFor(server, theirs.email);
  expect((await secondStep(server, ticket, totp(codeOf(server, mine.secret)))).status).toBe(401);
});

test('[AUTH-12] a ticket opens one session, also with many parallel uses', async () => {
  const { email, recoveryCodes } = await withApp(server, 'handler');
  const ticket = await ticketFor(server, email);
  const tries = recoveryCodes
    .slice(0, 4)
    .map((code) => secondStep(server, ticket, { method: 'recovery', code }));
  const replies = await Promise.all(tries);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ body }) => body.code === 'sign_in_failed')).toHaveLength(3);
  // The failed attempts did not use up their codes.
  const left = await exec('select 1 from staff_recovery_codes join staff on id = staff_id where email = $1', [
    email,
  ]);
  expect(left).toHaveLength(9);
});

test('[AUTH-12] a ticket expires after 5 minutes, and with its password', async () => {
  const { email, secret, browser } = await withApp(server, 'handler');
  const late = await ticketFor(server, email);
  clock.advance(5 * 60_000 + 1_000);
  const ended = await secondStep(server, late, totp(codeOf(server, secret)));
  expect([ended.status, ended.body.code]).toEqual([401, 'sign_in_failed']);

  const before = await ticketFor(server, email);
  const password = 'another password for tests';
  const changed = await browser.call('PUT', '/account/password', { current: PASSWORD, password });
  expect(changed.status).toBe(200);
  const voided = await secondStep(server, before, totp(codeOf(server, secret)));
  expect([voided.status, voided.body.code]).toEqual([401, 'sign_in_failed']);
  const after = await ticketFor(server, email, password);
  expect((await secondStep(server, after, totp(codeOf(server, secret)))).status).toBe(200);
});

test('[AUTH-12] a ticket is for its own account, its own purpose, this server and our own pages', async () => {
  const mine = await withApp(server, 'handler');
  const theirs = await withApp(server, 'handler');
  const code = totp(codeOf(server, mine.secret));
  expect((await secondStep(server, await ticketFor(server, theirs.email), code)).status).toBe(401);

  const begun = await mine.browser.call('POST', '/account/totp/begin');
  const forged = (await ticketFor(server, mine.email)).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  for (const ticket of [begun.body.ticket, mine.browser.token, 'nonsense', forged.slice(0, -4)]) {
    expect((await secondStep(server, ticket, code)).body.code).toBe('sign_in_failed');
  }
  const ticket = await ticketFor(server, mine.email);
  const foreign = await secondStep(server, ticket, code, { origin: 'https://evil.example' });
  expect([foreign.status, foreign.body.code]).toEqual([403, 'access_denied']);
  // A sign-in ticket does not work for setting up a factor.
  const crossed = await mine.browser.call('PUT', '/account/totp', {
    ticket,
    code: codeOf(server, mine.secret),
  });
  expect(crossed.status).toBeGreaterThanOrEqual(400);
  expect((await secondStep(server, ticket, code)).status).toBe(200);
});

test('[FACTOR-09] ten recovery codes, each works once, in any spelling; new ones void the old', async () => {
  const { email, browser, recoveryCodes } = await withApp(server, 'handler');
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = '', second = '', third = ''] = recoveryCodes;
  const use = async (code: string) =>
    (await secondStep(server, await ticketFor(server, email), { method: 'recovery', code })).status;
  expect(await use(` ${first.toUpperCase().replaceAll('-', ' ')}`)).toBe(200);
  expect(await use(first)).toBe(401);
  expect((await browser.call('GET', '/account')).body.account.recoveryCodesLeft).toBe(9);
  const other = await withApp(server, 'handler');
  expect(await use(other.recoveryCodes[0] ?? '')).toBe(401);

  const renewed = await browser.call('POST', '/account/recovery-codes');
  expect(renewed.body.recoveryCodes).toHaveLength(10);
  expect(await use(second)).toBe(401);
  expect(await use(renewed.body.recoveryCodes[0])).toBe(200);
  expect(await use(third)).toBe(401);
});

test('[FACTOR-11] five wrong codes lock an account, from any address; counted before they are compared', async () => {
  const { email, secret } = await withApp(server, 'handler');
  const ticket = await ticketFor(server, email);
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, turn) =>
      secondStep(server, ticket, totp('000000'), { 'x-forwarded-for': `203.0.113.${turn}` }),
    ),
  );
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(5);
  expect(replies.filter(({ body }) => body.code === 'too_many')).toHaveLength(7);
  const right = totp(codeOf(server, secret));
  expect((await secondStep(server, ticket, right)).body.code).toBe('too_many');
  // Other accounts are not affected.
  const other = await withApp(server, 'handler');
  const theirs = await ticketFor(server, other.email);
  expect((await secondStep(server, theirs, totp(codeOf(server, other.secret)))).status).toBe(200);
});

test('[FACTOR-11] a success resets the failures; an address has its own limit', async () => {
  const { email, secret, recoveryCodes } = await withApp(server, 'handler');
  const from = { 'x-forwarded-for': '203.0.113.200' };
  for (let turn = 0; turn < 4; turn++) {
    await secondStep(server, await ticketFor(server, email), totp('000000'), from);
  }
  const good = totp(codeOf(server, secret));
  expect((await secondStep(server, await ticketFor(server, email), good, from)).status).toBe(200);
  const { rows } = await server.app.db.pool.query<{ points: number }>(
    `select points from rate_limits where key = 'factoraddress:203.0.113.200'`,
  );
  expect(rows).toEqual([{ points: 4 }]);
  await exec(`update rate_limits set points = 50 where key = 'factoraddress:203.0.113.200'`, []);
  const ticket = await ticketFor(server, email);
  const recovery = { method: 'recovery', code: recoveryCodes[0] };
  expect((await secondStep(server, ticket, recovery, from)).body.code).toBe('too_many');
  expect((await secondStep(server, ticket, recovery)).status).toBe(200);
});

test('[AUDIT-07] signing in, failing to, and a used recovery code are in the log, without what strangers type', async () => {
  const { email, recoveryCodes, secret } = await withApp(server, 'handler');
  await firstStep(new Browser(server), email, 'not the password');
  await firstStep(new Browser(server), 'nobody@settee.example', 'not the password');
  await secondStep(server, await ticketFor(server, email), totp('000000'));
  await secondStep(server, await ticketFor(server, email), { method: 'recovery', code: recoveryCodes[0] });
  const entries = async () => (await auditOf(server, email)).map(({ action, details }) => [action, details]);
  await expect.poll(entries).toEqual(
    expect.arrayContaining([
      ['staff.signIn', { method: 'password' }],
      ['factor.add', { method: 'totp' }],
      ['staff.passwordShown', {}],
      ['staff.signInFailed', { step: 'password' }],
      ['staff.signInFailed', { step: 'totp' }],
      ['staff.signIn', { method: 'recovery' }],
      ['recovery.use', {}],
    ]),
  );
  // Without ids, times and hashes, which can contain any six digits by chance.
  const all = JSON.stringify(await exec('select action, details from audit', []));
  for (const word of ['nobody@', 'not the password', secret, '000000', ...recoveryCodes]) {
    expect(all.includes(word), word).toBe(false);
  }
});

test('[AUDIT-07] strangers cannot fill the log: of many failures in an hour it has the first five', async () => {
  const { email } = await newMember(server, 'handler');
  const fail = (host: number) =>
    server.request('POST', '/auth/staff/sign-in', {
      body: { email, password: 'not the password' },
      headers: { 'x-forwarded-for': `203.0.113.${host}` },
    });
  for (let host = 1; host <= 8; host++) expect((await fail(host)).status).toBe(401);
  const failures = async () =>
    (await auditOf(server, email)).filter(({ action }) => action === 'staff.signInFailed').length;
  await expect.poll(failures).toBe(5);
});

test('[AUDIT-07] signing out is in the log once, and so is signing out elsewhere', async () => {
  const { email, browser } = await newMember(server, 'handler');
  await browser.copy().call('POST', '/auth/staff/sign-out');
  await browser.call('POST', '/auth/staff/sign-out');
  const actions = (await auditOf(server, email)).map(({ action }) => action);
  expect(actions).toEqual(['handler.create', 'staff.signIn', 'staff.signOut']);
});

async function addTo(browser: Browser, key: Authenticator, name = 'Laptop') {
  const begun = await browser.call('POST', '/account/passkeys/begin');
  const { options, ticket } = begun.body;
  const body = { ticket, name, response: key.make(options) };
  return { reply: await browser.call('POST', '/account/passkeys', body), body };
}

async function asked(email: string) {
  return (await firstStep(new Browser(server), email)).body.secondFactor;
}

const origin = () => server.app.config.publicUrl;

test('[ACCOUNT-03] the owner of a passkey does not wait while strangers guess, and can only use the passkey', async () => {
  const attacked = async (email: string) => {
    for (let turn = 0; turn <= FREE_FAILURES; turn++) {
      const from = { 'x-forwarded-for': `198.51.100.${turn}` };
      const guess = await new Browser(server).call(
        'POST',
        '/auth/staff/sign-in',
        { email, password: 'wrong' },
        from,
      );
      expect(guess.status).toBe(401);
    }
  };
  const { email, browser, secret } = await withApp(server, 'handler');
  await attacked(email);
  // A guessable factor is not enough.
  expect((await firstStep(new Browser(server), email)).status).toBe(429);
  const key = new Authenticator(origin());
  await addTo(browser, key);
  expect((await firstStep(new Browser(server), email, 'wrong')).status).toBe(429);
  const { ticket, methods, passkey } = await asked(email);
  expect(methods).toEqual(['passkey']);
  expect((await secondStep(server, ticket, totp(codeOf(server, secret)))).body.code).toBe('sign_in_failed');
  const shown = await secondStep(server, ticket, { method: 'passkey', response: key.show(passkey) });
  expect([shown.status, shown.body.error]).toEqual([200, undefined]);
});

test('[FACTOR-08] a passkey is added and opens the account; it is listed, renamed and removed', async () => {
  const { email, browser } = await newMember(server, 'handler');
  const key = new Authenticator(origin());
  const { reply } = await addTo(browser, key);
  expect(reply.body.recoveryCodes).toHaveLength(10);
  const { ticket, methods, passkey } = await asked(email);
  expect(methods).toEqual(['passkey', 'recovery']);
  const shown = await secondStep(server, ticket, { method: 'passkey', response: key.show(passkey) });
  expect([shown.status, shown.body.error]).toEqual([200, undefined]);

  const list = async () => (await browser.call('GET', '/account')).body.account.passkeys;
  const [{ id, lastUsedAt }] = await list();
  expect(lastUsedAt).toBeGreaterThan(Date.now() - 60_000);
  expect((await browser.call('PUT', `/account/passkeys/${id}`, { name: 'Desk' })).status).toBe(200);
  expect(await list()).toMatchObject([{ id, name: 'Desk' }]);
  // The second one comes without codes: the existing ones still work.
  expect((await addTo(browser, new Authenticator(origin()))).reply.body.recoveryCodes).toBeNull();

  const other = await newMember(server, 'handler');
  expect((await other.browser.call('DELETE', `/account/passkeys/${id}`)).status).toBe(404);
  expect((await other.browser.call('PUT', `/account/passkeys/${id}`, { name: 'Mine' })).status).toBe(404);
  expect((await browser.call('DELETE', `/account/passkeys/${id}`)).status).toBe(200);
  const next = await asked(email);
  const gone = await secondStep(server, next.ticket, { method: 'passkey', response: key.show(next.passkey) });
  expect(gone.body.code).toBe('second_factor_failed');
});

test('[FACTOR-08] a passkey answers one challenge, of this ticket, at this origin, for this host', async () => {
  const { email, browser } = await withApp(server, 'admin');
  const key = new Authenticator(origin());
  await addTo(browser, key);
  const one = await asked(email);
  const two = await asked(email);
  expect(one.methods).toEqual(['totp', 'passkey', 'recovery']);
  const wrong = [
    key.show(two.passkey),
    key.show({ ...one.passkey, rpId: 'evil.example' }),
    Object.assign(key.show(one.passkey), {
      response: { ...key.show(one.passkey).response, signature: key.show(two.passkey).response.signature },
    }),
    new Authenticator(origin()).show(one.passkey),
  ];
  for (const response of wrong) {
    const reply = await secondStep(server, one.ticket, { method: 'passkey', response });
    expect(reply.body.code).toBe('second_factor_failed');
  }
  const proof = { method: 'passkey', response: key.show(one.passkey) };
  expect((await secondStep(server, one.ticket, proof)).status).toBe(200);
  expect((await secondStep(server, one.ticket, proof)).status).toBe(401);
  expect((await secondStep(server, two.ticket, proof)).status).toBe(401);
});

test('[FACTOR-08] a use counter must increase: a copy is refused', async () => {
  const { email, browser } = await newMember(server, 'handler');
  const key = new Authenticator(origin());
  await addTo(browser, key);
  const show = async (counter: number) => {
    const { ticket, passkey } = await asked(email);
    key.counter = counter;
    return (await secondStep(server, ticket, { method: 'passkey', response: key.show(passkey) })).status;
  };
  expect(await show(7)).toBe(200);
  expect(await show(7)).toBe(401);
  expect(await show(0)).toBe(401);
  expect(await show(8)).toBe(200);
});

test('[FACTOR-08] a passkey from elsewhere, for another challenge or another person is not added', async () => {
  const { browser } = await newMember(server, 'handler');
  const other = await newMember(server, 'handler');
  const evil = await addTo(browser, new Authenticator('https://evil.example'));
  expect(evil.reply.body.error).toBe('This passkey can’t be added.');
  const theirs = await other.browser.call('POST', '/account/passkeys/begin');
  const key = new Authenticator(origin());
  const crossed = await browser.call('POST', '/account/passkeys', {
    ticket: theirs.body.ticket,
    name: 'Theirs',
    response: key.make(theirs.body.options),
  });
  expect(crossed.status).toBe(400);
  const { reply, body } = await addTo(browser, key);
  expect(reply.status).toBe(200);
  // Neither a second time nor for another account.
  expect((await browser.call('POST', '/account/passkeys', body)).status).toBe(400);
  expect((await addTo(other.browser, key)).reply.status).toBe(400);
  expect((await other.browser.call('GET', '/account')).body.account.passkeys).toEqual([]);
});
