import { randomUUID } from 'node:crypto';
import type { VisitorConversation } from '@settee/protocol/model/conversation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './harness.ts';
import { createAdministrator, createChat, createStaff, sendOver, watchAs } from './people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('[D-01] a conversation has its fields; the visitor sees neither alias nor unread', async () => {
  const handler = await createStaff(server, 'd-one');
  const { visitor, conversationId, code } = await createChat(server, 'd-one');
  const staffView = (await handler.call('GET', `/conversations/${conversationId}`)).body.conversation;
  expect(staffView).toEqual({
    id: conversationId,
    inviteId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    handlerAlias: 'd-one',
    visitorId: visitor.browser.visitorId,
    visitorName: '',
    status: 'open',
    canSend: true,
    createdAt: expect.any(Number),
    lastMessageAt: expect.any(Number),
    head: 0,
    rev: 0,
    visitorSeen: 0,
    ownerSeen: 0,
    visitorSeenAt: null,
    ownerSeenAt: null,
    unread: 0,
  });
  const { handlerAlias: _, unread: __, ...shared } = staffView;
  expect((await visitor.call('GET', `/conversations/${conversationId}`)).body.conversation).toEqual({
    ...shared,
    isFirstDevice: true,
    away: null,
    continueCode: code,
    joinedAt: null,
    canErase: true,
    canMail: false,
  });
});

test('reading is stored with its time, and only the first reading of a message counts', async () => {
  const handler = await createStaff(server, 'seen-at');
  const { visitor, conversationId } = await createChat(server, 'seen-at');
  const { socket } = await watchAs(visitor, conversationId);
  await sendOver(socket, conversationId, 'Did you see this?');
  const desk = await watchAs(handler, conversationId);
  const marked = async () => {
    desk.socket.send({ type: 'seen', conversationId, seq: 1 });
    return (await socket.next('conversation', (frame) => frame.conversation.ownerSeen === 1)).conversation;
  };
  const first = await marked();
  expect(first.ownerSeen).toBe(1);
  expect(Math.abs((first.ownerSeenAt ?? 0) - Date.now())).toBeLessThan(60_000);
  expect(first.visitorSeenAt).toBeNull();
  // Read again: nothing changes, not even the time.
  desk.socket.send({ type: 'seen', conversationId, seq: 1 });
  const again = (await handler.call('GET', `/conversations/${conversationId}`)).body.conversation;
  expect(again.ownerSeenAt).toBe(first.ownerSeenAt);
  socket.close();
  desk.socket.close();
});

test('[D-02] a message has its fields; an owner’s message does not say who typed it', async () => {
  const handler = await createStaff(server, 'd-two');
  const { visitor, conversationId } = await createChat(server, 'd-two');
  const { socket } = await watchAs(handler, conversationId);
  const ack = await sendOver(socket, conversationId, 'Good evening');
  const reply = await visitor.call('GET', `/conversations/${conversationId}/messages`);
  expect(reply.body.messages).toEqual([
    { conversationId, seq: 1, id: ack.id, sender: 'owner', text: 'Good evening', createdAt: ack.createdAt },
  ]);
  expect(Math.abs(ack.createdAt - Date.now())).toBeLessThan(60_000);
  expect(JSON.stringify(reply.body)).not.toContain('d-two');
  socket.close();
});

test('[P-02] a handler can neither see, answer, close nor block another alias’s conversation', async () => {
  const owner = await createStaff(server, 'p-two');
  const other = await createStaff(server, 'p-other');
  const { conversationId } = await createChat(server, 'p-two');
  const path = `/conversations/${conversationId}`;
  const missing = await other.call('GET', `/conversations/${randomUUID()}`);
  for (const reply of [
    await other.call('GET', path),
    await other.call('GET', `${path}/messages`),
    await other.call('POST', `${path}/messages`, { id: randomUUID(), text: 'hello' }),
    await other.call('PUT', `${path}/status`, { status: 'closed' }),
    await other.call('PUT', `${path}/status`, { status: 'blocked' }),
    await other.call('POST', `${path}/continueCode`),
    await other.call('GET', `${path}/notes`),
    await other.call('POST', `${path}/notes`, { id: randomUUID(), text: 'hello' }),
    await other.call('POST', `${path}/transfer`, { alias: 'p-other', note: '' }),
  ]) {
    // Exactly the answer for a conversation that does not exist.
    expect([reply.status, reply.body]).toEqual([missing.status, missing.body]);
  }
  const socket = await other.live();
  socket.send({ type: 'watch', conversationId });
  expect(await socket.next('refused')).toMatchObject({ code: 'not_found' });
  socket.send({ type: 'range', conversationId, after: 0 });
  expect(await socket.next('refused')).toMatchObject({ code: 'not_found' });
  expect((await other.call('GET', '/queue')).body.rows).toEqual([]);
  socket.close();

  expect((await owner.call('PUT', `${path}/status`, { status: 'closed' })).body.conversation.status).toBe(
    'closed',
  );
  expect((await owner.call('PUT', `${path}/status`, { status: 'open' })).body.conversation.status).toBe(
    'open',
  );
  expect((await owner.call('PUT', `${path}/status`, { status: 'blocked' })).body.conversation.status).toBe(
    'blocked',
  );
});

test('[P-05] an administrator passes the handler check at every desk', async () => {
  await createStaff(server, 'p-five');
  const admin = await createAdministrator(server);
  const { visitor, conversationId } = await createChat(server, 'p-five');
  const { socket } = await watchAs(admin, conversationId);
  const ack = await sendOver(socket, conversationId, 'From the top');
  expect(ack.seq).toBe(1);
  expect(
    (await visitor.call('GET', `/conversations/${conversationId}/messages`)).body.messages[0].sender,
  ).toBe('owner');
  expect((await admin.call('GET', '/queue')).status).toBe(200);
  socket.close();
});

test('[P-01] a visitor cannot make staff calls', async () => {
  await createStaff(server, 'p-one');
  const { visitor, conversationId } = await createChat(server, 'p-one');
  expect(
    (await visitor.call('PUT', `/conversations/${conversationId}/status`, { status: 'open' })).status,
  ).toBe(403);
  expect((await visitor.call('GET', '/queue')).status).toBe(403);
  for (const [method, path, body] of [
    ['GET', `/conversations/${conversationId}/notes`, undefined],
    ['POST', `/conversations/${conversationId}/notes`, { id: randomUUID(), text: 'hello' }],
    ['POST', `/conversations/${conversationId}/transfer`, { alias: 'p-one', note: '' }],
    ['GET', '/desks', undefined],
  ] as const) {
    expect((await visitor.call(method, path, body)).status).toBe(403);
    expect((await server.request(method, path, body && { body })).status).toBe(401);
  }
  const socket = await visitor.live();
  socket.send({ type: 'watchQueue' });
  expect(await socket.next('refused')).toMatchObject({ code: 'not_found' });
  socket.close();
});

test('[MSG-22] blocked and closed past the window look the same to the visitor', async () => {
  const handler = await createStaff(server, 'open-24');
  const views: unknown[] = [];
  for (const status of ['closed', 'blocked'] as const) {
    const { visitor, conversationId } = await createChat(server, 'open-24');
    await handler.call('PUT', `/conversations/${conversationId}/status`, { status });
    await server.app.db.pool.query(
      "update conversations set closed_at = now() - interval '8 days' where id = $1",
      [conversationId],
    );
    const { socket, watched } = await watchAs(visitor, conversationId);
    socket.send({ type: 'send', conversationId, id: randomUUID(), text: 'Still there?' });
    const refused = await socket.next('refused');
    const {
      id: _,
      inviteId: __,
      visitorId: ___,
      createdAt: ____,
      lastMessageAt: _____,
      continueCode: ______,
      ...rest
    } = watched.conversation as VisitorConversation;
    views.push({ rest, code: refused.code });
    socket.close();
  }
  expect(views[0]).toEqual(views[1]);
  expect(views[0]).toMatchObject({ rest: { status: 'closed', canSend: false }, code: 'conversation_closed' });
});

test('[MSG-10] history is read by number: newest, older, newer', async () => {
  await createStaff(server, 'pages');
  const { visitor, conversationId } = await createChat(server, 'pages');
  const { socket } = await watchAs(visitor, conversationId);
  // One after another: a gateway on a busy machine refuses a message that would wait half a second.
  for (let n = 1; n <= 60; n += 1) await sendOver(socket, conversationId, `${n}`);
  const page = async (query: string): Promise<number[]> =>
    (await visitor.call('GET', `/conversations/${conversationId}/messages${query}`)).body.messages.map(
      (message: { seq: number }) => message.seq,
    );
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at);
  expect(await page('')).toEqual(from(11, 60));
  expect(await page('?before=11')).toEqual(from(1, 10));
  expect(await page('?after=58')).toEqual([59, 60]);
  expect(await page('?after=0&limit=3')).toEqual([1, 2, 3]);
  expect((await visitor.call('GET', `/conversations/${conversationId}/messages?limit=51`)).status).toBe(400);
  socket.close();
});

test('[MSG-01] the HTTP call stores the same message as the socket', async () => {
  await createStaff(server, 'doors');
  const { visitor, conversationId } = await createChat(server, 'doors');
  const { socket } = await watchAs(visitor, conversationId);
  const body = { id: randomUUID(), text: 'by post' };
  const posted = await visitor.call('POST', `/conversations/${conversationId}/messages`, body);
  expect(posted.body).toMatchObject({ success: true, seq: 1 });
  const ack = await sendOver(socket, conversationId, body.text, body.id);
  expect([ack.seq, ack.createdAt]).toEqual([1, posted.body.createdAt]);
  socket.close();
});
