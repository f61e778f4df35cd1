import { decodeJwt, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../src/platform/adapters/system.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { createAdmin } from '../../src/staff/people/createAccount.ts';
import { CALLBACK_PATH } from '../../src/staff/signIn/provider.ts';
import { Browser, handler, PASSWORD, signedInHandler } from '../support/browser.ts';
import { codeOf, withApp } from '../support/factors.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { CLIENT, startProvider, type TestProvider } from '../support/oidcProvider.ts';

let provider: TestProvider;
let server: TestServer;
/** How far the server's clock is ahead. */
let ahead = 0;
const REDIRECT_URI = `http://settee.test${CALLBACK_PATH}`;

function settings(change: Partial<Config['singleSignOn']> = {}) {
  return { issuer: provider.issuer, ...CLIENT, name: 'Example Login', ...change };
}

beforeAll(async () => {
  provider = await startProvider(REDIRECT_URI);
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  server = await startTestServer({ config: { singleSignOn: settings() }, clock });
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});
beforeEach(async () => {
  provider.behaviour.change = undefined;
  provider.behaviour.replace = undefined;
  ahead = 0;
  // All tests share one address.
  await server.app.db.pool.query('delete from rate_limits');
});

const own = (location: string) => location.replace('http://settee.test', '');

/** Follows redirects until the provider sends the browser back. Returns the address of the callback. */
async function visitProvider(start: string): Promise<string> {
  const jar = new Map<string, string>();
  let at = start;
  for (let hops = 0; hops < 10; hops++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const reply = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const location = reply.headers.get('location');
    if (location === null) throw new Error(`no redirect from ${at}: ${reply.status} ${await reply.text()}`);
    at = new URL(location, at).href;
    if (at.startsWith(REDIRECT_URI)) return own(at);
  }
  throw new Error('too many redirects');
}

async function begin(browser: Browser, next?: string): Promise<string> {
  const query = next === undefined ? '' : `?${new URLSearchParams({ next })}`;
  const reply = await browser.call('GET', `/auth/staff/sso${query}`);
  expect(reply.status).toBe(302);
  return visitProvider(reply.headers.get('location') ?? '');
}

/** The address after the callback. */
async function comeBack(browser: Browser, callback: string): Promise<string> {
  return (await browser.call('GET', callback)).headers.get('location') ?? '';
}

function problemIn(location: string): unknown {
  const [, text] = /^\/handler#sso=(.*)$/.exec(location) ?? [];
  return text && JSON.parse(decodeURIComponent(text)).problem;
}

/** A whole sign-in. Returns the problem, or the person who is signed in. */
async function signIn(claims: Record<string, unknown>) {
  provider.behaviour.claims = claims;
  const browser = new Browser(server);
  const location = await comeBack(browser, await begin(browser));
  const refreshed = await browser.call('POST', '/auth/staff/refresh');
  return { browser, location, problem: problemIn(location), staff: refreshed.body.staff };
}

async function verified(): Promise<{ email: string; email_verified: boolean }> {
  return { email: (await handler(server)).email, email_verified: true };
}

test('[ACCOUNT-11] the provider signs in the account with the verified e-mail address', async () => {
  expect((await server.request('GET', '/auth/staff/sign-in')).body).toMatchObject({
    singleSignOn: 'Example Login',
  });
  const person = await verified();
  const { staff, location, browser } = await signIn({ ...person, email: person.email.toUpperCase() });
  expect([location, staff]).toEqual([
    '/handler',
    expect.objectContaining({ name: 'Handler', role: 'handler' }),
  ]);
  expect(Object.keys(browser.cookies)).toEqual(expect.arrayContaining(['settee-staff', 'settee-known']));
  const { rows } = await server.app.db.pool.query(
    `select details from audit where action = 'staff.signIn' and target = $1`,
    [staff.staffId],
  );
  expect(rows).toEqual([{ details: { method: 'sso' } }]);

  // An account without a password can sign in this way too.
  await server.app.db.pool.query('update staff set password_hash = null where email = $1', [person.email]);
  expect((await signIn(person)).staff).toMatchObject({ name: 'Handler' });
});

test('[ACCOUNT-11] the request has PKCE, state and nonce; the page gets the wanted address back', async () => {
  provider.behaviour.claims = await verified();
  const browser = new Browser(server);
  const reply = await browser.call('GET', '/auth/staff/sso?next=/admin/invites');
  const query = new URL(reply.headers.get('location') ?? '').searchParams;
  expect(Object.fromEntries(query)).toMatchObject({
    client_id: CLIENT.clientId,
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^.{43}$/),
    state: expect.stringMatching(/^.{43}$/),
    nonce: expect.stringMatching(/^.{43}$/),
  });
  const cookie = reply.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(/^settee-sso=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  const callback = await visitProvider(reply.headers.get('location') ?? '');
  expect(await comeBack(browser, callback)).toBe('/handler?next=%2Fadmin%2Finvites');
  // An address at another site stays a parameter, which the page checks.
  const other = new Browser(server);
  const location = await comeBack(other, await begin(other, 'https://evil.example/'));
  expect(location).toBe('/handler?next=https%3A%2F%2Fevil.example%2F');
});

test('[ACCOUNT-12] another site cannot start a sign-in: its link leads to the sign-in page', async () => {
  for (const site of ['cross-site', 'same-site']) {
    const browser = new Browser(server);
    const reply = await browser.call('GET', '/auth/staff/sso?next=/admin', undefined, {
      'sec-fetch-site': site,
    });
    expect([reply.headers.get('location'), reply.cookies]).toEqual(['/handler?next=%2Fadmin', {}]);
  }
  for (const site of ['same-origin', 'none']) {
    const reply = await new Browser(server).call('GET', '/auth/staff/sso', undefined, {
      'sec-fetch-site': site,
    });
    expect([site, reply.headers.get('location')]).toEqual([site, expect.stringContaining(provider.issuer)]);
  }
});

test('[ACCOUNT-17] single sign-on ends the previous session of the browser, and only if it succeeds', async () => {
  const first = await signedInHandler(server);
  const before = first.copy();
  const isOpen = async () => (await before.call('POST', '/auth/staff/refresh')).status === 200;
  // As in a browser: the way back comes from another site, without the cookie of the session.
  const visit = async (claims: Record<string, unknown>) => {
    provider.behaviour.claims = claims;
    const callback = await begin(first);
    const { 'settee-staff': _, ...sent } = first.cookies;
    first.cookies = sent;
    await comeBack(first, callback);
    first.cookies = { ...before.cookies, ...first.cookies };
  };
  await visit({ email: 'nobody@settee.example', email_verified: true });
  expect(await isOpen()).toBe(true);
  await visit(await verified());
  expect(await isOpen()).toBe(false);
  expect((await first.call('POST', '/auth/staff/refresh')).status).toBe(200);
});

test('a person without a password confirms by signing in again, and the provider is told to ask', async () => {
  const person = await verified();
  await server.app.db.pool.query('update staff set password_hash = null where email = $1', [person.email]);
  const { browser } = await signIn(person);
  const token = async () => (await browser.call('POST', '/auth/staff/refresh')).body.idToken;
  browser.token = await token();
  expect((await browser.call('GET', '/account')).body.account.hasPassword).toBe(false);
  // The provider may have signed the person in without a question.
  expect((await browser.call('POST', '/account/totp/begin')).body.code).toBe('password_required');

  const reply = await browser.call('GET', '/auth/staff/sso?again=yes&next=/handler/security');
  const location = reply.headers.get('location') ?? '';
  expect(new URL(location).searchParams.get('prompt')).toBe('login');
  const { 'settee-staff': _, ...sent } = browser.cookies;
  browser.cookies = sent;
  expect(await comeBack(browser, await visitProvider(location))).toBe('/handler?next=%2Fhandler%2Fsecurity');
  browser.token = await token();
  expect((await browser.call('POST', '/account/totp/begin')).status).toBe(200);
});

test('[ACCOUNT-12] failed attempts of an address are limited; visits that another site can cause do not count', async () => {
  const failures = async () => (await server.app.db.pool.query('select key from rate_limits')).rows;
  const location = await comeBack(new Browser(server), `${CALLBACK_PATH}?code=x&state=y`);
  expect([problemIn(location), await failures()]).toEqual(['failed', []]);
  expect((await signIn({ email: 'nobody@example.org' })).problem).toBe('unverified');
  expect(await failures()).toHaveLength(1);
  await server.app.db.pool.query('update rate_limits set points = 50');
  expect((await signIn({ email: 'nobody@example.org' })).problem).toBe('tooMany');
});

test('[ACCOUNT-11] only a verified address of an active account opens a session, and no account is created', async () => {
  const { email } = await verified();
  for (const email_verified of [false, undefined, 'true', 1]) {
    const { problem, staff } = await signIn({ email, email_verified });
    expect([email_verified, problem, staff]).toEqual([email_verified, 'unverified', undefined]);
  }
  const stranger = await signIn({ email: 'nobody@settee.example', email_verified: true });
  expect([stranger.problem, stranger.staff]).toEqual(['unknown', undefined]);
  await server.app.db.pool.query('update staff set active = false where email = $1', [email]);
  expect((await signIn({ email, email_verified: true })).problem).toBe('unknown');
  const { rows } = await server.app.db.pool.query(`select from staff where email like 'nobody%'`);
  expect(rows).toEqual([]);
  expect((await signIn({ email_verified: true })).problem).toBe('failed');
});

test('[ACCOUNT-12] a callback needs the browser that began, once, with its own state', async () => {
  provider.behaviour.claims = await verified();
  const browser = new Browser(server);
  const callback = await begin(browser);
  const kept = { ...browser.cookies };
  const attack = async (cookies: Record<string, string>, path: string) => {
    const other = new Browser(server);
    other.cookies = { ...cookies };
    return problemIn(await comeBack(other, path));
  };
  // Another browser, with or without an attempt of its own.
  expect(await attack({}, callback)).toBe('failed');
  const victim = new Browser(server);
  await begin(victim);
  expect(await attack(victim.cookies, callback)).toBe('failed');
  expect(await attack({ 'settee-sso': `A${kept['settee-sso']}` }, callback)).toBe('failed');

  expect(await comeBack(browser, callback)).toBe('/handler');
  // The same code and the same attempt again.
  expect(await attack(kept, callback)).toBe('failed');
  // A used code in a new attempt.
  const again = new Browser(server);
  const fresh = new URL(await begin(again), 'http://settee.test');
  fresh.searchParams.set('code', new URL(callback, 'http://settee.test').searchParams.get('code') ?? '');
  expect(await attack(again.cookies, fresh.pathname + fresh.search)).toBe('failed');
  // A changed state, issuer or code, and an error of the provider.
  for (const [name, value] of [
    ['state', 'another'],
    ['iss', 'https://evil.example'],
    ['code', 'another'],
  ] as const) {
    const begun = new Browser(server);
    const changed = new URL(await begin(begun), 'http://settee.test');
    changed.searchParams.set(name, value);
    expect([name, await attack(begun.cookies, changed.pathname + changed.search)]).toEqual([name, 'failed']);
  }
  const refused = new Browser(server);
  await begin(refused);
  expect(await attack(refused.cookies, `${CALLBACK_PATH}?error=access_denied&state=x`)).toBe('failed');
});

test('[ACCOUNT-12] an attempt expires after ten minutes', async () => {
  provider.behaviour.claims = await verified();
  const browser = new Browser(server);
  const callback = await begin(browser);
  ahead = 600_000;
  expect(problemIn(await comeBack(browser, callback))).toBe('failed');
});

test('[ACCOUNT-12] a wrong issuer, audience, nonce, time or signature is refused', async () => {
  const person = await verified();
  const hour = 3_600;
  const stranger = await generateKeyPair('RS256');
  const damages: Record<string, TestProvider['behaviour']['change']> = {
    issuer: (claims) => ({ ...claims, iss: 'https://evil.example' }),
    audience: (claims) => ({ ...claims, aud: 'another client' }),
    nonce: (claims) => ({ ...claims, nonce: 'of another attempt' }),
    'no nonce': ({ nonce: _, ...claims }) => claims,
    expired: (claims) => ({
      ...claims,
      iat: (claims.iat ?? 0) - 2 * hour,
      exp: (claims.exp ?? 0) - 2 * hour,
    }),
    'no expiry': ({ exp: _, ...claims }) => claims,
    'not yet valid': (claims) => ({ ...claims, nbf: (claims.iat ?? 0) + hour }),
  };
  for (const [name, change] of Object.entries(damages)) {
    provider.behaviour.change = change;
    const { problem, staff } = await signIn(person);
    expect([name, problem, staff]).toEqual([name, 'failed', undefined]);
  }
  provider.behaviour.change = undefined;
  const replacements: Record<string, TestProvider['behaviour']['replace']> = {
    'another key': (idToken) =>
      new SignJWT(decodeJwt(idToken))
        .setProtectedHeader({ alg: 'RS256', kid: 'key-1' })
        .sign(stranger.privateKey),
    'no signature': (idToken) => new UnsecuredJWT(decodeJwt(idToken)).encode(),
    'the client secret as key': (idToken) =>
      new SignJWT(decodeJwt(idToken))
        .setProtectedHeader({ alg: 'HS256' })
        .sign(new TextEncoder().encode(CLIENT.clientSecret)),
    'a changed token': (idToken) => idToken.replace(/\.[^.]+$/, (end) => `${end.slice(0, -4)}AAAA`),
  };
  for (const [name, replace] of Object.entries(replacements)) {
    provider.behaviour.replace = replace;
    const { problem, staff } = await signIn(person);
    expect([name, problem, staff]).toEqual([name, 'failed', undefined]);
  }
  // A token that was valid a moment ago, for another attempt.
  let earlier = '';
  provider.behaviour.replace = (idToken) => (earlier ||= idToken);
  expect((await signIn(person)).staff).toMatchObject({ name: 'Handler' });
  expect((await signIn(person)).problem).toBe('failed');
});

test('[ACCOUNT-12] the provider may replace its keys between two sign-ins', async () => {
  const person = await verified();
  expect((await signIn(person)).staff).toMatchObject({ name: 'Handler' });
  await provider.rotateKeys();
  expect((await signIn(person)).staff).toMatchObject({ name: 'Handler' });
});

test('[ACCOUNT-14] an account with a second factor still needs it, unless the provider asked for one', async () => {
  const { email, secret } = await withApp(server, 'admin');
  const { location, staff, browser } = await signIn({ email, email_verified: true });
  expect(staff).toBeUndefined();
  const [, text = ''] = /^\/handler#sso=(.*)$/.exec(location) ?? [];
  const { asked } = JSON.parse(decodeURIComponent(text));
  expect(asked.methods).toEqual(['totp', 'recovery']);
  // A code counts once, and the setup used the one of now.
  await server.app.db.pool.query('update staff_totp set last_step = 0');
  const proof = { method: 'totp', code: codeOf(server, secret) };
  const confirmed = await browser.call('POST', '/auth/staff/second-factor', { ticket: asked.ticket, proof });
  expect(confirmed.body.staff).toMatchObject({ role: 'admin', mustEnrol: false });

  provider.behaviour.change = (claims) => ({ ...claims, amr: ['pwd', 'mfa'] });
  expect((await signIn({ email, email_verified: true })).staff).toMatchObject({
    mustEnrol: false,
    enrolBy: null,
  });
});

test('[ACCOUNT-11] a claim can decide the role; the last administrator and desks are protected', async () => {
  const strict = await startTestServer({ config: { singleSignOn: settings({ roleClaim: 'roles' }) } });
  const original = server;
  server = strict;
  try {
    const { email } = await verified();
    const as = async (roles: unknown) => {
      const { problem, staff } = await signIn({ email, email_verified: true, roles });
      return problem ?? staff.role;
    };
    expect(await as(['staff', 'admin'])).toBe('admin');
    // The last administrator stays one, and has to sign in by password.
    expect(await as('handler')).toBe('denied');
    await createAdmin(strict.app, { email: 'b@settee.example', name: 'B', password: PASSWORD }, 'test');
    expect(await as('handler')).toBe('handler');
    for (const roles of [undefined, [], 'owner', 7])
      expect([roles, await as(roles)]).toEqual([roles, 'denied']);
    const { rows } = await strict.app.db.pool.query(
      `select actor, details from audit where action = 'staff.update' order by id`,
    );
    expect(rows).toEqual([
      { actor: 'single sign-on', details: { fields: ['role'], role: { before: 'handler', after: 'admin' } } },
      { actor: 'single sign-on', details: { fields: ['role'], role: { before: 'admin', after: 'handler' } } },
    ]);
  } finally {
    server = original;
    await strict.close();
  }
});
