import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { FREE_FAILURES } from '../src/auth/strangerDelay.ts';
import { createLog } from '../src/log/log.ts';
import { openSecurityLog, type SecurityLog } from '../src/log/securityLog.ts';
import { claimed, handler, openBrowser, PASSWORD, signedInHandler } from './browser.ts';
import { LiveClient } from './client.ts';
import { fakeClock } from './fakeClock.ts';
import { startTestServer, type TestServer } from './harness.ts';

const CLIENT = '192.0.2.7';
const FROM = { 'x-forwarded-for': CLIENT };

let lines: Record<string, unknown>[] = [];
let security: SecurityLog;
let server: TestServer;

function open(securityLogAddresses: 'hashed' | 'full', clock = fakeClock()): SecurityLog {
  const config = { secret: 'a secret for tests', securityLog: 'stdout', securityLogAddresses };
  return openSecurityLog(
    { config, clock, log: createLog('silent') },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
}

beforeAll(async () => {
  security = open('hashed');
  server = await startTestServer({ config: { limitFactor: 1, trustProxy: ['loopback'] }, security });
});
beforeEach(() => {
  security.flush();
  lines = [];
});
afterAll(() => server.close());

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

test('[ACCOUNT-03] the wait after guesses from many addresses is an event that names its limit', async () => {
  const { email } = await handler(server);
  for (let turn = 0; turn <= FREE_FAILURES + 1; turn++) {
    const headers = { 'x-forwarded-for': `192.0.2.${100 + turn}` };
    await server.request('POST', '/auth/staff/sign-in', { body: { email, password: 'wrong' }, headers });
  }
  expect(events().at(-1)).toEqual({
    event: 'limit_reached',
    call: 'signInStaff',
    code: 'too_many',
    limit: 'stranger',
  });
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

test('[LIMIT-07] a request for the conversation of others, and invalid input, are events', async () => {
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

test('[LIMIT-07] mistakes from many addresses do not displace other events', () => {
  const log = open('full');
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
  const hashed = open('hashed', clock);
  const record = (log: SecurityLog) => log.record({ event: 'access_refused', address: CLIENT });
  record(hashed);
  clock.advance(86_400_000);
  record(hashed);
  record(open('full', clock));
  const [first, second, full] = lines.map(({ address }) => String(address));
  expect(first).toMatch(/^[\w-]{16}$/);
  expect(second).toMatch(/^[\w-]{16}$/);
  expect(second).not.toBe(first);
  expect(full).toBe(CLIENT);
});

test('[LIMIT-07] a flood of equal events is two lines', () => {
  const log = open('hashed');
  for (let turn = 0; turn < 1_000; turn++) log.record({ event: 'access_refused', address: CLIENT });
  log.flush();
  expect(lines.map(({ count }) => count)).toEqual([undefined, 999]);
});
