import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimed, invite, openBrowser } from './browser.ts';
import { startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { lookupsPerMinute: 1_000 } });
});
afterAll(() => server.close());

const notFound = {
  success: false,
  exists: false,
  expired: false,
  revoked: false,
  state: null,
  error: 'Invite not found',
};

async function check(token: string) {
  return server.request('GET', `/checkInvite/${token}`);
}

async function stateOf(token: string): Promise<unknown> {
  return (await check(token)).body.state;
}

test('[K-01] a valid invite returns its state and nothing else', async () => {
  const token = await invite(server);
  const reply = await check(token);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    success: true,
    exists: true,
    expired: false,
    revoked: false,
    state: 'NEW',
    error: null,
  });
  expect(reply.headers.get('cache-control')).toBe('no-store');
});

test('[K-01] [LIMIT-02] unknown and malformed tokens get the same answer', async () => {
  const known = await invite(server);
  const unknown = known.slice(0, -4) + (known.endsWith('AAAA') ? 'BBBB' : 'AAAA');
  for (const token of [
    unknown,
    'x',
    known.slice(0, -1),
    `${known}A`,
    '%00',
    encodeURIComponent("' or 1=1"),
  ]) {
    const reply = await check(token);
    expect(reply.status, token).toBe(404);
    expect(reply.body, token).toEqual(notFound);
  }
});

test('[K-01] [INVITE-03] a NEW or SEEN invite expires; a bound one does not', async () => {
  const fresh = await invite(server);
  const { token: bound } = await claimed(server);
  await server.app.db.pool.query("update invites set expires_at = now() - interval '1 second'");
  const reply = await check(fresh);
  expect(reply.status).toBe(410);
  expect(reply.body).toEqual({
    success: false,
    exists: true,
    expired: true,
    revoked: false,
    state: 'NEW',
    error: 'This invite link has expired',
  });
  expect((await check(bound)).body).toMatchObject({ success: true, expired: false, state: 'BOUND' });
  const browser = await openBrowser(server);
  const late = await browser.claim(fresh);
  expect(late.status).toBe(410);
  expect(late.body.error).toBe('This invite link has expired');
  expect((await browser.call('POST', '/seeInvite', { token: fresh })).body.code).toBe('invite_expired');
});

test('[K-01] [INVITE-21] check, claim and attach report a revoked invite', async () => {
  const token = await invite(server);
  await server.app.db.pool.query(
    "update invites set state = 'REVOKED', revoked_at = now() where state = 'NEW'",
  );
  const reply = await check(token);
  expect(reply.status).toBe(410);
  expect(reply.body).toEqual({
    success: false,
    exists: true,
    expired: false,
    revoked: true,
    state: 'REVOKED',
    error: 'This invite link has been revoked',
  });
  const browser = await openBrowser(server);
  for (const refused of [await browser.claim(token), await browser.attach(token, '0000')]) {
    expect(refused.status).toBe(410);
    expect(refused.body).toMatchObject({
      success: false,
      conversationId: null,
      error: 'This invite link has been revoked',
    });
  }
});

test('[INVITE-01] Start chat turns NEW into SEEN, and changes no other state', async () => {
  const token = await invite(server);
  const browser = await openBrowser(server);
  for (const _ of [1, 2]) {
    const reply = await browser.call('POST', '/seeInvite', { token });
    expect(reply.body).toEqual({ success: true, cookie: true });
    expect(await stateOf(token)).toBe('SEEN');
  }
  await browser.claim(token);
  expect((await browser.call('POST', '/seeInvite', { token })).status).toBe(200);
  expect(await stateOf(token)).toBe('BOUND');
  expect((await server.request('POST', '/seeInvite', { body: { token } })).status).toBe(401);
});

test('[LIMIT-02] an address may check a limited number of links a minute, a /64 counting as one', async () => {
  const limited = await startTestServer({ config: { lookupsPerMinute: 3, trustProxy: ['loopback'] } });
  try {
    const token = await invite(limited);
    const from = (address: string) =>
      limited.request('GET', `/checkInvite/${token}`, { headers: { 'x-forwarded-for': address } });
    for (const host of ['1', '2', '3']) expect((await from(`2001:db8::${host}`)).status).toBe(200);
    const fourth = await from('2001:db8::4');
    expect(fourth.status).toBe(429);
    expect(fourth.body).toEqual({
      ...notFound,
      error: 'Too many requests. Please slow down.',
      code: 'too_many',
    });
    expect((await from('2001:db8:0:1::1')).status).toBe(200);
    expect((await from('192.0.2.1')).status).toBe(200);
  } finally {
    await limited.close();
  }
});
