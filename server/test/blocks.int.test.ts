import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endBlocks } from '../src/jobs/cleanup.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff, type Person, sendOver, watchAs } from './people.ts';

let server: TestServer;
let handler: Person;
beforeAll(async () => {
  server = await startTestServer();
  handler = await createStaff(server, 'blocks');
});
afterAll(() => server.close());

/** A conversation that was blocked for 24 hours, `over` ago. */
async function blockedChat(over: string) {
  const chat = await createChat(server, 'blocks');
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

test('[ADMIN-24] a block ends at its time, open pages update, and the log names the system', async () => {
  const due = await blockedChat('24 hours 1 second');
  const lasting = await blockedChat('23 hours');
  const { socket, watched } = await watchAs(due.visitor, due.conversationId);
  expect(watched.conversation).toMatchObject({ status: 'closed', canSend: false });
  const desk = await handler.live();
  desk.send({ type: 'watchQueue' });
  await desk.next('queue');

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

test('[ADMIN-24] the job may run while a visitor writes: everything arrives, in order', async () => {
  const chats = await Promise.all(Array.from({ length: 5 }, () => blockedChat('25 hours')));
  const sockets = await Promise.all(
    chats.map(async ({ visitor, conversationId }) => (await watchAs(visitor, conversationId)).socket),
  );
  const jobs = Array.from({ length: 3 }, () => endBlocks(server.app.db));
  const acks = await Promise.all(
    chats.flatMap(({ conversationId }, place) =>
      ['one', 'two', 'three'].map((text) => sendOver(sockets[place] as never, conversationId, text)),
    ),
  );
  await Promise.all(jobs);
  expect(acks.map(({ seq }) => seq)).toEqual(chats.flatMap(() => [1, 2, 3]));
  await endBlocks(server.app.db);
  for (const { conversationId } of chats) {
    expect(await stateOf(conversationId)).toMatchObject({
      ...ENDED,
      audit: [expect.anything(), ['system', 'conversation.open']],
    });
  }
});

test('[ADMIN-24] a new block before the job ran: the log has both', async () => {
  const { visitor, conversationId } = await blockedChat('25 hours');
  const path = `/conversations/${conversationId}`;
  const message = { id: randomUUID(), text: 'hello' };
  expect((await visitor.call('POST', `${path}/messages`, message)).status).toBe(200);
  await handler.call('PUT', `${path}/status`, { status: 'blocked', hours: 1 });
  expect(await endBlocks(server.app.db)).toBe(0);
  expect(await stateOf(conversationId)).toMatchObject({ status: 'blocked', blocks: 1 });
  expect((await stateOf(conversationId)).audit.map(([, action]: string[]) => action)).toEqual([
    'conversation.block',
    'conversation.open',
    'conversation.block',
  ]);
});

test('[ADMIN-24] before its end, and without an end, a block accepts nothing', async () => {
  const early = await blockedChat('23 hours');
  const forever = await createChat(server, 'blocks');
  await handler.call('PUT', `/conversations/${forever.conversationId}/status`, { status: 'blocked' });
  for (const { visitor, conversationId } of [early, forever]) {
    const sent = await visitor.call('POST', `/conversations/${conversationId}/messages`, {
      id: randomUUID(),
      text: 'hello',
    });
    expect(sent.body.code).toBe('conversation_closed');
  }
  expect(await endBlocks(server.app.db)).toBe(0);
});

test('[ADMIN-24] a block that was renewed meanwhile has the new end', async () => {
  const { conversationId } = await blockedChat('25 hours');
  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'blocked', hours: 1 });
  expect(await endBlocks(server.app.db)).toBe(0);
  expect(await stateOf(conversationId)).toMatchObject({ status: 'blocked', blocks: 1 });
});

test('[CONSOLE-33] only a person who knows of a block lifts it: no earlier Close, Reopen or Undo does', async () => {
  const { conversationId } = await blockedChat('1 hour');
  const set = (body: object) => handler.call('PUT', `/conversations/${conversationId}/status`, body);
  const before = await stateOf(conversationId);
  for (const decided of [
    { status: 'closed', from: 'open' },
    { status: 'open', from: 'closed' },
    // From the previous release.
    { status: 'closed' },
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
  // No more at once than there are connections for it: others would wait, on a slow machine for too long.
  for (let turn = 0; turn < 10; turn += 1) {
    const { conversationId } = await createChat(server, 'blocks');
    await Promise.all(
      [{ status: 'blocked' }, { status: 'closed', from: 'open' }, { status: 'closed' }].map((body) =>
        handler.call('PUT', `/conversations/${conversationId}/status`, body),
      ),
    );
    expect(await stateOf(conversationId)).toMatchObject({ status: 'blocked', blocks: 1 });
  }
});
