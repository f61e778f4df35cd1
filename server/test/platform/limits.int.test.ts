import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { CODE_FAILURES_OF_LINK, CODE_FAILURES_TO_LOCK } from '@settee/protocol/model/invite';
import { errorTexts } from '@settee/protocol/texts/errorTexts';
import { texts } from '@settee/protocol/texts/texts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashInviteToken } from '../../src/platform/auth/inviteToken.ts';
import { countOf, type Rate, type RateName, rates } from '../../src/platform/limits/table.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { openSecurityLog, type SecurityLog } from '../../src/platform/log/securityLog.ts';
import { claimed, csrf, handler, openBrowser, PASSWORD, signedInHandler } from '../support/browser.ts';
import { LiveClient } from '../support/client.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';

let server: TestServer;
beforeAll(async () => {
  security = openEvents('hashed');
  server = await startTestServer({
    config: { limitFactor: 1, codesPerHour: 1_000, lookupsPerMinute: 1_000, trustProxy: ['loopback'] },
    security,
  });
});
afterAll(() => server.close());

const from = (address: string) => ({ 'x-forwarded-for': address });

test('[LIMIT-02] a person may rename themselves ten times a minute, and others still can', async () => {
  const [one, other] = [await claimed(server), await claimed(server)];
  const rename = ({ browser, conversationId }: typeof one) =>
    browser.call('PUT', `/conversations/${conversationId}/visitorName`, { visitorName: 'Ada' });
  for (let turn = 0; turn < rates.renames.count; turn++) expect((await rename(one)).status).toBe(200);
  const refused = await rename(one);
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ success: false, code: 'too_many' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(rates.renames.seconds);
  expect((await rename(other)).status).toBe(200);
});

test.for([
  ['erasures', 'DELETE', ''],
  ['exports', 'GET', '/export'],
  ['uploads', 'DELETE', `/media/${randomUUID()}`],
] as const)('[LIMIT-02] a person has a limit for %s', async ([limit, method, path]) => {
  const browser = await openBrowser(server);
  const call = () => browser.call(method, `/conversations/${randomUUID()}${path}`);
  for (let turn = 0; turn < rates[limit].count; turn++) expect((await call()).status).not.toBe(429);
  expect((await call()).status).toBe(429);
});

test('[LIMIT-02] a conversation gets ten new codes a minute', async () => {
  const { browser, conversationId } = await claimed(server);
  const renew = () => browser.call('POST', `/conversations/${conversationId}/continueCode`);
  for (let turn = 0; turn < rates.renewals.count; turn++) expect((await renew()).status).toBe(200);
  expect((await renew()).status).toBe(429);
});

test.for(['/seeInvite', '/claimInvite'])('[LIMIT-02] %s limits unknown tokens by address', async (path) => {
  const browser = await openBrowser(server);
  const address = from(path === '/seeInvite' ? '192.0.2.1' : '192.0.2.2');
  const use = (headers: Record<string, string>) =>
    browser.call(
      'POST',
      path,
      { token: 'a0'.padEnd(34, 'x'), ...(path === '/claimInvite' && { csrf: csrf() }) },
      headers,
    );
  for (let turn = 0; turn < rates.claims.count; turn++) expect((await use(address)).status).toBe(404);
  const refused = await use(address);
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ success: false, error: 'Too many requests. Please slow down.' });
  expect((await use(from('192.0.2.3'))).status).toBe(404);
});

test('[LIMIT-04] only codes that are compared count for a link, and renewing the code does not allow more', async () => {
  const { browser, token, conversationId, code } = await claimed(server);
  const thief = await openBrowser(server);
  let current = code;
  let used = 0;
  const attach = async (tried: string) => {
    used += 1;
    const reply = await thief.attach(token, tried, from(`203.0.113.${used}`));
    return [reply.status, reply.body.error];
  };
  const wrong = () => attach(String((Number(current) + 1) % 10_000).padStart(4, '0'));
  const renew = async () => {
    const { body } = await browser.call('POST', `/conversations/${conversationId}/continueCode`);
    current = body.continueCode;
  };
  const invalid = [403, texts.codeInvalid];
  for (let turn = 0; turn < CODE_FAILURES_TO_LOCK; turn++) expect(await wrong()).toEqual(invalid);
  for (let turn = 0; turn < 35; turn++) expect(await wrong()).toEqual([429, errorTexts.codeLocked]);
  await renew();
  const friend = await openBrowser(server);
  expect((await friend.attach(token, current)).body.success).toBe(true);

  let compared = CODE_FAILURES_TO_LOCK + 1;
  for (; compared < rates.linkcodes.count; compared += 1) {
    if (compared % 4 === 0) await renew();
    expect(await wrong()).toEqual(invalid);
  }
  await renew();
  expect(await attach(current)).toEqual([429, errorTexts.tooMany]);
});

test('a link takes few wrong codes in its life, until staff make a new code', async () => {
  const { browser, token, conversationId, code } = await claimed(server);
  const thief = await openBrowser(server);
  const renew = `/conversations/${conversationId}/continueCode`;
  await server.app.db.pool.query('update invites set code_failures_of_link = $1 where token_hash = $2', [
    CODE_FAILURES_OF_LINK - 1,
    hashInviteToken(token),
  ]);
  const wrong = String((Number(code) + 1) % 10_000).padStart(4, '0');
  expect((await thief.attach(token, wrong)).body.error).toBe(texts.codeInvalid);
  expect((await thief.attach(token, code)).body.error).toBe(errorTexts.linkSpent);
  // Whoever has the link may also have talked the visitor into new codes.
  expect((await browser.call('POST', renew)).body.error).toBe(errorTexts.linkSpent);
  const staff = await signedInHandler(server);
  const { continueCode } = (await staff.call('POST', renew)).body;
  expect((await thief.attach(token, continueCode)).body.success).toBe(true);
});

test('[LIMIT-02] announced bytes count before the body is read', async () => {
  const announce = async (address: string): Promise<number | undefined> => {
    const sending = request(`${server.url}/auth/staff/sign-in`, {
      method: 'POST',
      headers: {
        ...from(address),
        'content-type': 'application/json',
        'content-length': String(rates.bodyBytes.count * 0.75),
      },
    });
    sending.flushHeaders();
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    sending.on('error', () => {}).destroy();
    return response.statusCode;
  };
  expect(await announce('192.0.2.4')).toBe(400);
  expect(await announce('192.0.2.4')).toBe(429);
  expect(await announce('192.0.2.5')).toBe(400);
});

test('[LIMIT-04] the factor multiplies all limits but those against guessing', () => {
  const config = { ...server.app.config, limitFactor: 10 };
  for (const name of Object.keys(rates) as RateName[]) {
    const rate: Rate = rates[name];
    if (typeof rate.count !== 'number') continue;
    expect(countOf(rate, config), name).toBe(rate.byAction === true ? rate.count : rate.count * 10);
  }
});

const CLIENT = '192.0.2.7';
const FROM = { 'x-forwarded-for': CLIENT };

let lines: Record<string, unknown>[] = [];
let security: SecurityLog;

function openEvents(securityLogAddresses: 'hashed' | 'full', clock = fakeClock()): SecurityLog {
  const config = { secret: 'a secret for tests', securityLog: 'stdout', securityLogAddresses };
  return openSecurityLog(
    { config, clock, log: createLog('silent') },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
}

beforeEach(() => {
  security.flush();
  lines = [];
});

const events = () => lines.map(({ level: _, time: __, stream: ___, address: ____, ...event }) => event);

test('[LIMIT-07] signing in, failing and signing out are events with the account', async () => {
  const { email } = await handler(server);
  const signIn = (password: string) =>
    server.request('POST', '/auth/staff/sign-in', { body: { email, password }, headers: FROM });
  await signIn('not the password');
  const { cookies, body } = await signIn(PASSWORD);
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  await server.request('POST', '/auth/staff/sign-out', { cookie, headers: FROM });
  expect(events()).toEqual([
    { event: 'sign_in_failed', call: 'signInStaff', code: 'sign_in_failed' },
    { event: 'signed_in', call: 'signInStaff', staffId: body.staff.staffId },
    { event: 'signed_out', call: 'signOutStaff' },
  ]);
  expect(lines.map(({ stream }) => stream)).toEqual(['security', 'security', 'security']);
});

test('[LIMIT-07] refused calls, wrong codes, unknown links and limits are events', async () => {
  const { token, code, browser } = await claimed(server);
  lines = [];
  const other = await openBrowser(server);
  const wrong = String((Number(code) + 1) % 10_000).padStart(4, '0');
  await other.attach(token, wrong, FROM);
  await server.request('GET', `/checkInvite/${'x'.repeat(34)}`, { headers: FROM });
  await other.call('GET', '/manage/audit', undefined, FROM);
  for (let turn = 0; turn < 12; turn++) {
    await browser.call('PUT', '/visitorProfile', { displayName: 'Ada' }, FROM);
  }
  expect(events()).toEqual([
    { event: 'code_refused', call: 'attachInvite', code: 'code_invalid' },
    { event: 'unknown_link', call: 'checkInvite', code: 'invite_not_found' },
    { event: 'access_refused', call: 'readAudit', code: 'access_denied' },
    { event: 'limit_reached', call: 'saveProfile', code: 'too_many', limit: 'renames' },
  ]);
  lines = [];
  security.flush();
  expect(events()).toEqual([
    { event: 'limit_reached', call: 'saveProfile', code: 'too_many', limit: 'renames', count: 1 },
  ]);
});

test('[LIMIT-07] refused and closed sockets are events', async () => {
  const foreign = new LiveClient(server.url, 'https://elsewhere.test');
  await foreign.until(() => foreign.closed !== undefined, 'not refused');
  const silent = new LiveClient(server.url, server.app.config.publicUrl);
  await silent.opened();
  silent.sendRaw('no hello');
  await silent.until(() => lines.length === 2, 'no event');
  expect(events()).toEqual([
    { event: 'socket_refused', status: 403 },
    { event: 'socket_closed', reason: 'hello_expected' },
  ]);
});

test('a request for the conversation of others, and invalid input, are events', async () => {
  const { conversationId } = await claimed(server);
  const stranger = await openBrowser(server);
  const person = await signedInHandler(server, 'elsewhere');
  lines = [];
  await stranger.call('GET', `/conversations/${conversationId}`, undefined, FROM);
  await person.call('GET', `/conversations/${conversationId}`, undefined, FROM);
  await stranger.call('PUT', '/visitorProfile', { displayName: 'A' }, FROM);
  await stranger.call('PUT', '/visitorProfile', { displayName: 'Ada', role: 'admin' }, FROM);
  const client = new LiveClient(server.url, server.app.config.publicUrl);
  await client.opened();
  client.send({ type: 'hello', version: 1_000_000, token: stranger.token });
  client.send({ type: 'watch', conversationId, after: 0 });
  client.send({ type: 'send', conversationId, id: randomUUID(), text: 'Hello' });
  client.sendRaw('{"type":"watch"}');
  client.sendRaw('not JSON');
  await client.until(
    () => client.received.filter(({ type }) => type === 'refused').length === 4,
    'no refusal',
  );
  client.close();
  const { staffId } = (await person.call('POST', '/auth/staff/refresh')).body.staff;
  const notFound = { event: 'not_found', code: 'not_found' };
  const invalid = { event: 'invalid_input', code: 'bad_request' };
  expect(events()).toEqual([
    { ...notFound, call: 'readConversation' },
    { ...notFound, call: 'readConversation', staffId },
    { ...invalid, call: 'saveProfile' },
    { ...notFound, frame: 'watch' },
    { ...notFound, frame: 'send' },
    invalid,
  ]);
  lines = [];
  security.flush();
  expect(events()).toEqual([
    { ...invalid, call: 'saveProfile', count: 1 },
    { ...invalid, count: 1 },
  ]);
});

test('mistakes from many addresses do not displace other events', () => {
  const log = openEvents('full');
  for (let turn = 0; turn < 3_000; turn++) log.record({ event: 'not_found', address: `address ${turn}` });
  log.record({ event: 'sign_in_failed', address: CLIENT });
  log.flush();
  expect(lines.filter(({ event }) => event === 'not_found')).toHaveLength(1_000);
  expect(lines.slice(-2)).toMatchObject([
    { event: 'sign_in_failed' },
    { event: 'events_dropped', count: 2_000 },
  ]);
});

test('[LIMIT-07] an address is a hash that changes every day, or the address itself if you choose so', () => {
  const clock = fakeClock();
  const hashed = openEvents('hashed', clock);
  const record = (log: SecurityLog) => log.record({ event: 'access_refused', address: CLIENT });
  record(hashed);
  clock.advance(86_400_000);
  record(hashed);
  record(openEvents('full', clock));
  const [first, second, full] = lines.map(({ address }) => String(address));
  expect(first).toMatch(/^[\w-]{16}$/);
  expect(second).toMatch(/^[\w-]{16}$/);
  expect(second).not.toBe(first);
  expect(full).toBe(CLIENT);
});
