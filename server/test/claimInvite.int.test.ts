import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimed, csrf, invite, openBrowser } from './browser.ts';
import { startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { lookupsPerMinute: 1_000, codesPerHour: 1_000 } });
});
afterAll(() => server.close());

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test('[K-02] a claim returns the conversation, a code and the next token, and nothing else', async () => {
  const token = await invite(server);
  const browser = await openBrowser(server);
  const reply = await browser.claim(token);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    success: true,
    conversationId: expect.stringMatching(UUID),
    continueCode: expect.stringMatching(/^[0-9]{4}$/),
    error: null,
    idToken: expect.any(String),
    expiresAt: expect.any(Number),
  });
  expect((await server.request('GET', `/checkInvite/${token}`)).body.state).toBe('BOUND');
  await browser.signIn();
  const { body } = await browser.call('GET', `/conversations/${reply.body.conversationId}`);
  expect(body.conversation).toMatchObject({ visitorId: browser.visitorId, visitorName: '', status: 'open' });
});

test('[K-02] a claim needs a bearer token, the invite and a timestamp', async () => {
  const token = await invite(server);
  const browser = await openBrowser(server);
  const body = { token, csrf: csrf() };
  expect((await server.request('POST', '/claimInvite', { body })).status).toBe(401);
  for (const bad of [{ token }, { csrf: csrf() }, { token, csrf: 'now' }, { ...body, extra: 1 }]) {
    expect((await browser.call('POST', '/claimInvite', bad)).status).toBe(400);
  }
  const unknown = await browser.claim(`${token.slice(0, -4)}AAAA`);
  expect(unknown.status).toBe(404);
  expect(unknown.body).toEqual({
    success: false,
    conversationId: null,
    continueCode: null,
    error: 'Invite not found',
  });
});

test('[K-02] a second browser is asked for the code', async () => {
  const { token } = await claimed(server);
  const reply = await (await openBrowser(server)).claim(token);
  expect(reply.status).toBe(409);
  expect(reply.body).toEqual({
    success: false,
    conversationId: null,
    continueCode: null,
    error: 'Continue code required',
  });
});

test('[DEVICE-16] the first device claims again: the same conversation, and a code that works', async () => {
  const { browser, token, conversationId, code } = await claimed(server);
  const again = await browser.claim(token);
  expect(again.body).toMatchObject({ success: true, conversationId });
  expect(again.body.continueCode).toMatch(/^[0-9]{4}$/);
  expect(await browser.canRead(conversationId)).toBe(true);
  const other = await openBrowser(server);
  if (again.body.continueCode !== code) expect((await other.attach(token, code)).body.success).toBe(false);
  expect((await other.attach(token, again.body.continueCode)).body.success).toBe(true);
  await other.signIn();
  expect((await other.claim(token)).body).toMatchObject({
    success: true,
    conversationId,
    continueCode: null,
  });
});

test('[DEVICE-16] a browser that lost the answer asks again and continues', async () => {
  const token = await invite(server);
  const browser = await openBrowser(server);
  const before = browser.copy();
  const lost = await browser.claim(token);
  // The page was reopened with the cookie from before the claim.
  await before.signIn();
  expect(before.visitorId).toBe(browser.visitorId);
  const again = await before.claim(token);
  expect(again.body).toMatchObject({ success: true, conversationId: lost.body.conversationId });
  expect(again.body.continueCode).toMatch(/^[0-9]{4}$/);
  await before.signIn();
  expect(await before.canRead(lost.body.conversationId)).toBe(true);
});

test('[DEVICE-16] after some minutes the old secret is void, and its holder a new visitor', async () => {
  const token = await invite(server);
  const browser = await openBrowser(server);
  const thief = browser.copy();
  const { body } = await browser.claim(token);
  await browser.signIn();
  await server.app.db.pool.query(
    "update devices set attached_at = now() - interval '6 minutes' where conversation_id = $1",
    [body.conversationId],
  );
  expect((await thief.claim(token)).status).toBe(409);
  await thief.signIn();
  expect(thief.visitorId).not.toBe(browser.visitorId);
  await browser.signIn();
  expect(await browser.canRead(body.conversationId)).toBe(true);
});

test('[DEVICE-17] a claim replaces the secret: the old token and cookie are void', async () => {
  const first = await claimed(server);
  const { browser } = first;
  const stolen = browser.copy();
  expect(await stolen.canRead(first.conversationId)).toBe(true);
  const second = await browser.claim(await invite(server));
  await browser.signIn();
  expect(await browser.canRead(first.conversationId)).toBe(true);
  expect(await browser.canRead(second.body.conversationId)).toBe(true);
  await stolen.signIn();
  expect(await stolen.canRead(first.conversationId)).toBe(false);
  expect(await stolen.canRead(second.body.conversationId)).toBe(false);
  // It cannot be used to get access in the visitor's name either.
  expect((await stolen.claim(await invite(server))).status).toBe(401);
});

test('[DEVICE-17] of tabs that claim at once one succeeds; the others sign in again and lose nothing', async () => {
  const browser = await openBrowser(server);
  const tabs = await Promise.all(
    Array.from({ length: 8 }, async () => ({ tab: browser.copy(), token: await invite(server) })),
  );
  const replies = await Promise.all(tabs.map(({ tab, token }) => tab.claim(token)));
  expect(replies.filter((reply) => reply.status === 401)).toHaveLength(tabs.length - 1);
  const won = replies.findIndex((reply) => reply.status === 200);
  browser.cookies = tabs[won]?.tab.cookies ?? {};
  await browser.signIn();
  for (const { token } of tabs) {
    expect((await browser.claim(token)).status).toBe(200);
    await browser.signIn();
  }
  expect(await browser.canRead(replies[won]?.body.conversationId)).toBe(true);
});

test('[DEVICE-17] a token made for another cookie is refused before it can replace that one', async () => {
  const tab = await openBrowser(server);
  const { browser } = await claimed(server);
  tab.cookies = browser.cookies;
  expect((await tab.claim(await invite(server))).status).toBe(401);
});

test('[MSG-41] a page whose browser stores no cookie gains no access; a program that needs none does', async () => {
  const token = await invite(server);
  const browser = await openBrowser(server);
  browser.cookies = {};
  const page = { 'sec-fetch-site': 'same-origin' };
  const asking = { token, csrf: csrf() };
  expect((await browser.call('POST', '/claimInvite', asking, page)).status).toBe(401);
  expect((await server.request('GET', `/checkInvite/${token}`)).body.state).toBe('NEW');
  expect((await browser.call('POST', '/claimInvite', asking)).status).toBe(200);
});

test('[INVITE-06] no row is written before an invite is claimed', async () => {
  const token = await invite(server);
  const count = async () =>
    (
      await server.app.db.pool.query(
        'select (select count(*) from devices) + (select count(*) from conversations) + (select count(*) from visitor_profiles) as n',
      )
    ).rows[0];
  const before = await count();
  const browser = await openBrowser(server);
  await server.request('GET', `/checkInvite/${token}`);
  await browser.call('POST', '/seeInvite', { token });
  expect((await browser.call('PUT', '/visitorProfile', { displayName: 'Ada' })).status).toBe(404);
  expect(await count()).toEqual(before);
});
