import { randomUUID } from 'node:crypto';
import { texts } from '@settee/protocol/texts/texts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endBlocks } from '../../src/conversations/endBlocks.ts';
import { claimed } from '../support/browser.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { createChat, createStaff, type Person, sendOver, watchAs, watchQueue } from '../support/people.ts';

let server: TestServer;
let handler: Person;
beforeAll(async () => {
  server = await startTestServer();
  handler = await createStaff(server, 'desk');
});
afterAll(() => server.close());

test('[D-01] a conversation has its fields; the visitor sees neither alias nor unread', async () => {
  const { visitor, conversationId, code } = await createChat(server, 'desk');
  const staffView = (await handler.call('GET', `/conversations/${conversationId}`)).body.conversation;
  expect(staffView).toEqual({
    id: conversationId,
    inviteId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    handlerAlias: 'desk',
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
    noAccess: null,
    unread: 0,
  });
  const { handlerAlias: _, unread: __, noAccess: ___, ...shared } = staffView;
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

test('[D-02] [S-11] a message has its fields and moves the conversation’s time; an owner’s message does not say who typed it', async () => {
  const { visitor, conversationId } = await createChat(server, 'desk');
  const { socket } = await watchAs(handler, conversationId);
  const ack = await sendOver(socket, conversationId, 'Good evening');
  const reply = await visitor.call('GET', `/conversations/${conversationId}/messages`);
  expect(reply.body.messages).toEqual([
    { conversationId, seq: 1, id: ack.id, sender: 'owner', text: 'Good evening', createdAt: ack.createdAt },
  ]);
  expect(JSON.stringify(reply.body)).not.toContain('"desk"');
  const { conversation } = (await handler.call('GET', `/conversations/${conversationId}`)).body;
  expect(conversation).toMatchObject({ head: 1, lastMessageAt: ack.createdAt });
  socket.close();
});

test('[MSG-10] history is read by number: newest, older, newer', async () => {
  const { visitor, conversationId } = await createChat(server, 'desk');
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
  const { visitor, conversationId } = await createChat(server, 'desk');
  const { socket } = await watchAs(visitor, conversationId);
  const body = { id: randomUUID(), text: 'by post' };
  const posted = await visitor.call('POST', `/conversations/${conversationId}/messages`, body);
  expect(posted.body).toMatchObject({ success: true, seq: 1 });
  const ack = await sendOver(socket, conversationId, body.text, body.id);
  expect([ack.seq, ack.createdAt]).toEqual([1, posted.body.createdAt]);
  socket.close();
});

test('[S-07] [C-07] [D-04] the profile is saved, read back and updated: name, time, push token', async () => {
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
  const again = await browser.call('PUT', '/visitorProfile', { displayName: 'Grace' });
  expect(again.body.profile).toEqual({ ...saved.body.profile, displayName: 'Grace' });
  const push = { endpoint: `https://push.example/${randomUUID()}`, p256dh: 'key', auth: 'auth' };
  await server.app.db.pool.query(
    'insert into push_subscriptions (visitor_id, endpoint, p256dh, auth) values ($1, $2, $3, $4)',
    [browser.visitorId, push.endpoint, push.p256dh, push.auth],
  );
  expect((await browser.call('GET', '/visitorProfile')).body.profile.fcmToken).toBe(push.endpoint);
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

/** A conversation that was blocked for 24 hours, `over` ago. */
async function blockedChat(over: string) {
  const chat = await createChat(server, 'desk');
  await handler.call('PUT', `/conversations/${chat.conversationId}/status`, {
    status: 'blocked',
    reason: 'spam',
    hours: 24,
  });
  await server.app.db.pool.query(
    'update blocks set until = until - $2::interval where conversation_id = $1',
    [chat.conversationId, over],
  );
  return chat;
}

const stateOf = async (id: string) => {
  const { rows } = await server.app.db.pool.query(
    `select c.status, c.closed_at, (select count(*)::int from blocks where conversation_id = c.id) as blocks,
       (select jsonb_agg(jsonb_build_array(actor, action) order by a.id) from audit a where target = c.id::text) as audit
     from conversations c where c.id = $1`,
    [id],
  );
  return rows[0];
};

const ENDED = { status: 'open', closed_at: null, blocks: 0 };

test('a visitor cannot take the name of the profile', async () => {
  const { browser, conversationId } = await claimed(server);
  for (const name of ['Settee', ' SETTEE ', 'Sét\u200Btee', 'Ｓｅｔｔｅｅ', 'Set tee']) {
    for (const [path, body] of [
      [`/conversations/${conversationId}/visitorName`, { visitorName: name }],
      ['/visitorProfile', { displayName: name }],
    ] as const) {
      const { status, body: answer } = await browser.call('PUT', path, body);
      expect([name, status, answer.error]).toEqual([name, 400, texts.nameReserved]);
    }
  }
});

test('[ADMIN-24] a block ends at its time, open pages update, and the log names the system', async () => {
  const due = await blockedChat('24 hours 1 second');
  const lasting = await blockedChat('23 hours');
  const { socket, watched } = await watchAs(due.visitor, due.conversationId);
  expect(watched.conversation).toMatchObject({ status: 'closed', canSend: false });
  const { socket: desk } = await watchQueue(handler);

  expect(await endBlocks(server.app.db)).toBe(1);
  expect(await endBlocks(server.app.db)).toBe(0);
  // No hint announces it: the sweep finds it.
  await socket.next('conversation', ({ conversation }) => conversation.status === 'open');
  await desk.next('queueChange', ({ rows }) => rows.some((row) => row.conversationId === due.conversationId));
  expect(await stateOf(due.conversationId)).toMatchObject({
    ...ENDED,
    audit: [expect.anything(), ['system', 'conversation.open']],
  });
  expect(await stateOf(lasting.conversationId)).toMatchObject({ status: 'blocked', blocks: 1 });
});

test('[ADMIN-24] a message after the block’s end is accepted before any job runs, once and in order', async () => {
  const { visitor, conversationId } = await blockedChat('25 hours');
  const { socket } = await watchAs(visitor, conversationId);
  const acks = await Promise.all(
    ['one', 'two', 'three'].map((text) => sendOver(socket, conversationId, text)),
  );
  expect(acks.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  const { messages } = (await visitor.call('GET', `/conversations/${conversationId}/messages`)).body;
  expect(messages.map(({ text }: { text: string }) => text)).toEqual(['one', 'two', 'three']);
  // The sends themselves ended the block, without another call. The job only cleans up and announces it.
  expect(await stateOf(conversationId)).toMatchObject({ ...ENDED, blocks: 1, audit: [expect.anything()] });
  expect(await endBlocks(server.app.db)).toBe(1);
  expect(await stateOf(conversationId)).toMatchObject({
    ...ENDED,
    audit: [expect.anything(), ['system', 'conversation.open']],
  });
});

test('[CONSOLE-33] only a person who knows of a block lifts it: no earlier Close, Reopen or Undo does', async () => {
  const { conversationId } = await blockedChat('1 hour');
  const set = (body: object) => handler.call('PUT', `/conversations/${conversationId}/status`, body);
  const before = await stateOf(conversationId);
  for (const decided of [
    { status: 'closed', from: 'open' },
    { status: 'open', from: 'closed' },
    { status: 'open' },
  ]) {
    const { status, body } = await set(decided);
    expect([decided, status, body.code]).toEqual([decided, 409, 'conversation_closed']);
    expect(body.error).toBe('Someone else just changed this. Nothing was done.');
  }
  expect(await stateOf(conversationId)).toEqual(before);
  expect((await set({ status: 'open', from: 'blocked' })).body.conversation.status).toBe('open');
  expect(await stateOf(conversationId)).toMatchObject(ENDED);

  // `from` is optional between open and closed, and a second request for the same status succeeds.
  expect((await set({ status: 'closed' })).body.conversation.status).toBe('closed');
  expect((await set({ status: 'closed', from: 'open' })).status).toBe(200);
  expect((await set({ status: 'open' })).body.conversation.status).toBe('open');
});

test('[CONSOLE-33] of a block and a Close at the same moment the block stays', async () => {
  for (let turn = 0; turn < 4; turn += 1) {
    const { conversationId } = await createChat(server, 'desk');
    await Promise.all(
      [{ status: 'blocked' }, { status: 'closed', from: 'open' }, { status: 'closed' }].map((body) =>
        handler.call('PUT', `/conversations/${conversationId}/status`, body),
      ),
    );
    expect(await stateOf(conversationId)).toMatchObject({ status: 'blocked', blocks: 1 });
  }
});
