import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff, createVisitor } from './people.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('[S-11] a message sent on one socket is acknowledged and arrives on the other side', async () => {
  const handler = await createStaff(server, 'desk-a');
  const { visitor, conversationId } = await createChat(server, 'desk-a');
  const here = await visitor.live();
  const there = await handler.live();
  here.send({ type: 'watch', conversationId });
  there.send({ type: 'watch', conversationId });
  await here.next('watched');
  await there.next('watched');

  const id = randomUUID();
  here.send({ type: 'send', conversationId, id, text: '  Hello  ' });
  const ack = await here.next('ack');
  expect(ack).toMatchObject({ conversationId, id, seq: 1 });
  const { message } = await there.next('message');
  expect(message).toEqual({
    conversationId,
    id,
    seq: 1,
    sender: 'visitor',
    text: 'Hello',
    createdAt: ack.createdAt,
  });

  const { body } = await handler.call('GET', `/conversations/${conversationId}`);
  expect(body.conversation).toMatchObject({ head: 1, lastMessageAt: ack.createdAt, unread: 1 });
  expect(here.received.filter((frame) => frame.type === 'message')).toEqual([]);
  here.close();
  there.close();
});

test('a message reaches watchers at another gateway', async () => {
  const other = await server.startAnother();
  const handler = await createStaff(server, 'desk-b');
  const { visitor, conversationId } = await createChat(server, 'desk-b');
  const here = await visitor.live();
  const there = await handler.live(other.url);
  here.send({ type: 'watch', conversationId });
  there.send({ type: 'watch', conversationId });
  await here.next('watched');
  await there.next('watched');
  for (const text of ['one', 'two', 'three'])
    here.send({ type: 'send', conversationId, id: randomUUID(), text });
  expect((await there.next('message')).message.text).toBe('one');
  expect((await there.next('message')).message.text).toBe('two');
  expect((await there.next('message')).message.text).toBe('three');
  here.close();
  there.close();
});

test('[P-01] a stranger can neither watch, send to nor read a conversation', async () => {
  await createStaff(server, 'desk-c');
  const { conversationId } = await createChat(server, 'desk-c');
  const stranger = await createVisitor(server);
  const socket = await stranger.live();
  socket.send({ type: 'watch', conversationId });
  expect(await socket.next('refused')).toMatchObject({ code: 'not_found', conversationId });
  socket.send({ type: 'send', conversationId, id: randomUUID(), text: 'hi' });
  expect(await socket.next('refused')).toMatchObject({ code: 'not_found' });
  expect((await stranger.call('GET', `/conversations/${conversationId}/messages`)).status).toBe(404);
  socket.close();
});
