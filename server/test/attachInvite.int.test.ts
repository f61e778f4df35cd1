import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimed, csrf, invite, openBrowser, signedInHandler } from './browser.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { inParallel } from './inParallel.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { lookupsPerMinute: 1_000, codesPerHour: 1_000 } });
});
afterAll(() => server.close());

/** A code that is not this one. */
function wrong(code: string): string {
  return String((Number(code) + 1) % 10_000).padStart(4, '0');
}

async function moveLock(token: string, by: string): Promise<void> {
  await server.app.db.pool.query(
    'update invites set code_locked_until = code_locked_until + $2::interval where token_hash = sha256($1::bytea)',
    [Buffer.from(token), by],
  );
}

test('[K-03] the right code lets a second browser in', async () => {
  const { token, conversationId, code } = await claimed(server);
  const other = await openBrowser(server);
  const reply = await other.attach(token, code);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    success: true,
    conversationId,
    needsCode: false,
    error: null,
    idToken: expect.any(String),
    expiresAt: expect.any(Number),
  });
  await other.signIn();
  expect(await other.canRead(conversationId)).toBe(true);
});

test('[K-03] without a code the answer asks for one, and no failure is counted', async () => {
  const { token, code } = await claimed(server);
  const other = await openBrowser(server);
  for (let turn = 0; turn < 12; turn++) {
    const reply = await other.attach(token, '');
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      success: false,
      conversationId: null,
      needsCode: true,
      error: 'Continue code required',
    });
  }
  expect((await other.attach(token, code)).body.success).toBe(true);
});

test('[K-03] a wrong code is reported', async () => {
  const { token, conversationId, code } = await claimed(server);
  const other = await openBrowser(server);
  const reply = await other.attach(token, wrong(code));
  expect(reply.status).toBe(403);
  expect(reply.body).toEqual({
    success: false,
    conversationId: null,
    needsCode: true,
    error: 'Invalid code. Please try again.',
  });
  expect(await other.canRead(conversationId)).toBe(false);
});

test('[K-03] attaching needs a bearer token, all fields, and a bound invite', async () => {
  const token = await invite(server);
  const other = await openBrowser(server);
  const body = { token, code: '0000', csrf: csrf() };
  expect((await server.request('POST', '/attachInvite', { body })).status).toBe(401);
  for (const bad of [
    { token, code: '0000' },
    { ...body, csrf: 'x' },
    { token, csrf: csrf() },
  ]) {
    expect((await other.call('POST', '/attachInvite', bad)).status).toBe(400);
  }
  expect((await other.attach(token, '0000')).body).toEqual({
    success: false,
    conversationId: null,
    needsCode: false,
    error: 'Failed to attach to conversation',
  });
  expect((await other.attach('nonsense', '0000')).body).toMatchObject({
    needsCode: false,
    error: 'Invite not found',
  });
});

test('[DEVICE-18] five wrong codes in a row lock the code for 15 minutes, also the right one', async () => {
  const { token, code } = await claimed(server);
  const other = await openBrowser(server);
  for (let turn = 0; turn < 5; turn++) expect((await other.attach(token, wrong(code))).status).toBe(403);
  const locked = await other.attach(token, code);
  expect(locked.status).toBe(429);
  expect(locked.body).toMatchObject({
    success: false,
    needsCode: true,
    error: 'Too many wrong codes. Please wait 15 minutes.',
  });
  await moveLock(token, '-14 minutes');
  expect((await other.attach(token, code)).status).toBe(429);
  await moveLock(token, '-1 minute');
  expect((await other.attach(token, code)).body.success).toBe(true);
});

test('[DEVICE-18] a hundred parallel guesses count as no more than five', async () => {
  const { token, code } = await claimed(server);
  const other = await openBrowser(server);
  const guesses = Array.from({ length: 100 }, () => () => other.copy().attach(token, wrong(code)));
  const statuses = (await inParallel(server, guesses)).map((reply) => reply.status);
  expect(statuses.filter((status) => status === 403)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(95);
});

test('[DEVICE-18] ten wrong codes in an invite’s life void the code until a new one is made', async () => {
  const { browser, token, conversationId, code } = await claimed(server);
  const other = await openBrowser(server);
  for (const _ of [1, 2]) {
    for (let turn = 0; turn < 5; turn++) await other.attach(token, wrong(code));
    await moveLock(token, '-15 minutes');
  }
  const voided = await other.attach(token, code);
  expect(voided.status).toBe(403);
  expect(voided.body).toMatchObject({
    needsCode: true,
    error: 'This code is no longer valid. Make a new one on your first device.',
  });
  const renewed = await browser.call('POST', `/conversations/${conversationId}/continueCode`);
  expect(renewed.body).toEqual({ success: true, continueCode: expect.stringMatching(/^[0-9]{4}$/) });
  expect((await other.attach(token, renewed.body.continueCode)).body.success).toBe(true);
});

test('[DEVICE-20] a code works once; the first device and staff at the desk can make another', async () => {
  const { browser, token, conversationId, code } = await claimed(server);
  const second = await openBrowser(server);
  const third = await openBrowser(server);
  await second.attach(token, code);
  await second.signIn();
  expect((await third.attach(token, code)).body).toMatchObject({ success: false, needsCode: true });

  const renew = `/conversations/${conversationId}/continueCode`;
  expect((await second.call('POST', renew)).status).toBe(403);
  expect((await third.call('POST', renew)).status).toBe(404);
  expect((await (await signedInHandler(server, 'mara-west')).call('POST', renew)).status).toBe(404);
  expect((await browser.call('POST', renew)).status).toBe(200);
  const byStaff = await (await signedInHandler(server)).call('POST', renew);
  expect((await third.attach(token, byStaff.body.continueCode)).body.success).toBe(true);
});

test('[DEVICE-16] a browser with access returns whatever code it shows', async () => {
  const { browser, token, conversationId, code } = await claimed(server);
  for (const shown of [wrong(code), '', 'abcd']) {
    const reply = await browser.attach(token, shown);
    expect(reply.body).toMatchObject({ success: true, conversationId, needsCode: false, error: null });
  }
  await server.app.db.pool.query('update devices set revoked_at = now() where conversation_id = $1', [
    conversationId,
  ]);
  expect((await browser.attach(token, '')).body).toMatchObject({ success: false, needsCode: true });
  expect((await browser.claim(token)).status).toBe(409);
  // A correct code attaches a revoked device again, but not as the first device.
  expect((await browser.attach(token, code)).body.success).toBe(true);
  await browser.signIn();
  expect((await browser.call('POST', `/conversations/${conversationId}/continueCode`)).status).toBe(403);
});

test('[DEVICE-16] a lost answer to attach is given again', async () => {
  const { token, conversationId, code } = await claimed(server);
  const other = await openBrowser(server);
  const before = other.copy();
  await other.attach(token, code);
  expect((await before.attach(token, code)).body).toMatchObject({ success: true, conversationId });
  await before.signIn();
  expect(await before.canRead(conversationId)).toBe(true);
});

test('[DEVICE-17] attaching replaces the secret of all the visitor’s conversations', async () => {
  const { token, conversationId, code } = await claimed(server);
  const mine = await claimed(server);
  const stolen = mine.browser.copy();
  await mine.browser.attach(token, code);
  await mine.browser.signIn();
  expect(await mine.browser.canRead(mine.conversationId)).toBe(true);
  expect(await mine.browser.canRead(conversationId)).toBe(true);
  expect(await stolen.canRead(mine.conversationId)).toBe(false);
  expect(await stolen.canRead(conversationId)).toBe(false);
});

test('[DEVICE-18] an address may try a limited number of codes an hour, for all invites', async () => {
  const limited = await startTestServer({ config: { codesPerHour: 3, trustProxy: ['loopback'] } });
  try {
    const from = { 'x-forwarded-for': '192.0.2.1' };
    for (let turn = 0; turn < 3; turn++) {
      const { token, code } = await claimed(limited);
      const reply = await (await openBrowser(limited)).attach(token, wrong(code), from);
      expect(reply.status).toBe(403);
    }
    const { token, code } = await claimed(limited);
    const other = await openBrowser(limited);
    const refused = await other.attach(token, code, from);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      success: false,
      needsCode: true,
      error: 'Too many requests. Please slow down.',
    });
    expect((await other.attach(token, code, { 'x-forwarded-for': '192.0.2.2' })).body.success).toBe(true);
  } finally {
    await limited.close();
  }
});
