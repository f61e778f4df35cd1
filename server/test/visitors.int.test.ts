import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimed, openBrowser, signedInHandler } from './browser.ts';
import { startTestServer, type TestServer } from './harness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('[S-07] [D-04] the profile is saved and read back: name, time, push token', async () => {
  const { browser } = await claimed(server);
  expect((await browser.call('GET', '/visitorProfile')).body).toEqual({ success: true, profile: null });
  const saved = await browser.call('PUT', '/visitorProfile', { displayName: '  Ada  ' });
  expect(saved.body).toEqual({
    success: true,
    profile: {
      visitorId: browser.visitorId,
      displayName: 'Ada',
      createdAt: expect.any(Number),
      fcmToken: null,
    },
  });
  expect((await browser.call('GET', '/visitorProfile')).body).toEqual(saved.body);
  const push = { endpoint: `https://push.example/${randomUUID()}`, p256dh: 'key', auth: 'auth' };
  await server.app.db.pool.query(
    'insert into push_subscriptions (visitor_id, endpoint, p256dh, auth) values ($1, $2, $3, $4)',
    [browser.visitorId, push.endpoint, push.p256dh, push.auth],
  );
  expect((await browser.call('GET', '/visitorProfile')).body.profile.fcmToken).toBe(push.endpoint);
});

test('[C-07] saving a profile creates it, and later updates it', async () => {
  const { browser } = await claimed(server);
  const first = await browser.call('PUT', '/visitorProfile', { displayName: 'Ada' });
  const second = await browser.call('PUT', '/visitorProfile', { displayName: 'Grace' });
  expect(second.body.profile).toEqual({ ...first.body.profile, displayName: 'Grace' });
});

test('[C-07] saving a profile needs a visitor: no token and a staff token are refused', async () => {
  const body = { displayName: 'Ada' };
  expect((await server.request('PUT', '/visitorProfile', { body })).status).toBe(401);
  const staff = await signedInHandler(server);
  expect((await staff.call('PUT', '/visitorProfile', body)).status).toBe(403);
});

test('[C-07] naming the visitor needs their conversation, and raises its revision', async () => {
  const { browser, conversationId } = await claimed(server);
  const path = `/conversations/${conversationId}/visitorName`;
  const before = (await browser.call('GET', `/conversations/${conversationId}`)).body.conversation;
  const reply = await browser.call('PUT', path, { visitorName: '  Ada ' });
  expect(reply.body).toEqual({
    success: true,
    conversation: { ...before, visitorName: 'Ada', rev: before.rev + 1 },
  });
  expect(reply.body.conversation).not.toHaveProperty('handlerAlias');

  const stranger = (await claimed(server)).browser;
  for (const [who, id] of [
    [stranger, conversationId],
    [browser, randomUUID()],
    [browser, 'undefined'],
  ] as const) {
    const refused = await who.call('PUT', `/conversations/${id}/visitorName`, { visitorName: 'Eve' });
    expect([refused.status, refused.body.error]).toEqual([404, 'Conversation not found']);
  }
  expect((await browser.call('GET', `/conversations/${conversationId}`)).body.conversation.visitorName).toBe(
    'Ada',
  );
});

test('[C-01] [C-07] the server refuses an invalid name with the same text as the page', async () => {
  const { browser, conversationId } = await claimed(server);
  const cases = [
    ['', 'Name must be at least 2 characters'],
    ['   ', 'Name must be at least 2 characters'],
    [' A ', 'Name must be at least 2 characters'],
    ['x'.repeat(41), 'Name must be under 40 characters'],
    ['see http://x', "Please don't include emails or links"],
    ['a@b', "Please don't include emails or links"],
    ['Mara.COM', "Please don't include emails or links"],
  ] as const;
  for (const [name, text] of cases) {
    const replies = [
      await browser.call('PUT', `/conversations/${conversationId}/visitorName`, { visitorName: name }),
      await browser.call('PUT', '/visitorProfile', { displayName: name }),
    ];
    for (const { status, body } of replies) {
      expect([status, body.success, body.error], name).toEqual([400, false, text]);
    }
  }
  for (const name of ['Al', 'x'.repeat(40), ' Zoë  ']) {
    const { body } = await browser.call('PUT', '/visitorProfile', { displayName: name });
    expect(body.profile.displayName).toBe(name.trim());
  }
});

test('[INVITE-06] a visitor without a claim can neither save nor read a profile', async () => {
  const browser = await openBrowser(server);
  expect((await browser.call('PUT', '/visitorProfile', { displayName: 'Ada' })).status).toBe(404);
  expect((await browser.call('GET', '/visitorProfile')).body).toEqual({ success: true, profile: null });
});
