import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Down } from '../../protocol/src/frames/down.ts';
import { LiveClient } from '../../server/test/support/client.ts';
import { startTestServer, type TestServer } from '../../server/test/support/harness.ts';
import { createChat, createStaff, type Person } from '../../server/test/support/people.ts';
import { frames } from './frames.ts';
import { breaches, strict } from './validating.ts';

const components = strict(frames().components);
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const open = ({ browser }: Person) =>
  LiveClient.hello(server.url, server.app.config.publicUrl, browser.token);

const waitFor = (socket: LiveClient, type: Down['type']) =>
  socket.until(() => socket.received.some((frame) => frame.type === type), `no ${type}`);

test('[API-01] every frame from the server matches its description', async () => {
  const person = await createStaff(server, 'mara-east');
  const chat = await createChat(server, 'mara-east');
  const { conversationId } = chat;
  const [visitor, handler] = [await open(chat.visitor), await open(person)];
  handler.send({ type: 'watchQueue' });
  for (const socket of [visitor, handler]) {
    socket.send({ type: 'watch', conversationId });
    await waitFor(socket, 'watched');
  }
  for (const [from, to] of [
    [visitor, handler],
    [handler, visitor],
  ] as const) {
    from.send({ type: 'send', conversationId, id: randomUUID(), text: 'by a frame' });
    await waitFor(from, 'ack');
    await waitFor(to, 'message');
  }
  visitor.send({ type: 'seen', conversationId, seq: 2 });
  visitor.send({ type: 'range', conversationId, after: 0 });
  visitor.send({ type: 'ping' });
  await person.call('POST', `/conversations/${conversationId}/notes`, { id: randomUUID(), text: 'a note' });
  for (const type of ['messages', 'pong'] as const) await waitFor(visitor, type);
  for (const type of ['conversation', 'queue', 'queueChange', 'note'] as const) await waitFor(handler, type);
  const all = [
    ...visitor.received.map((frame) => ['Visitor', frame] as const),
    ...handler.received.map((frame) => ['Staff', frame] as const),
  ];
  expect(all.length).toBeGreaterThan(12);
  for (const [who, frame] of all) {
    const name = `${frame.type}To${who}`;
    const found = breaches(name, components.messages[name]?.payload, frame, components);
    expect([name, found]).toEqual([name, []]);
  }
  visitor.close();
  handler.close();
});
