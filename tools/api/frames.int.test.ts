import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Down } from '../../protocol/src/frames/down.ts';
import { PROTOCOL_VERSION } from '../../protocol/src/frames/version.ts';
import { LiveClient } from '../../server/test/client.ts';
import { startTestServer, type TestServer } from '../../server/test/harness.ts';
import { createChat, createStaff, type Person } from '../../server/test/people.ts';
import { frames } from './frames.ts';
import { breaches, strict } from './validating.ts';

const components = strict(frames().components);
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** LiveClient.open would consume the welcome frame. */
async function open({ browser }: Person): Promise<LiveClient> {
  const socket = new LiveClient(server.url, server.app.config.publicUrl);
  await socket.opened();
  socket.say({ type: 'hello', version: PROTOCOL_VERSION, token: browser.token });
  return socket;
}

const hears = (socket: LiveClient, type: Down['type']) =>
  socket.until(() => socket.heard.some((frame) => frame.type === type), `no ${type}`);

test('[API-01] every frame from the server matches its description', async () => {
  const person = await createStaff(server, 'mara-east');
  const chat = await createChat(server, 'mara-east');
  const { conversationId } = chat;
  const [visitor, handler] = [await open(chat.visitor), await open(person)];
  handler.say({ type: 'watchQueue' });
  for (const socket of [visitor, handler]) {
    socket.say({ type: 'watch', conversationId });
    await hears(socket, 'watched');
  }
  for (const [from, to] of [
    [visitor, handler],
    [handler, visitor],
  ] as const) {
    from.say({ type: 'send', conversationId, id: randomUUID(), text: 'by a frame' });
    await hears(from, 'ack');
    await hears(to, 'message');
  }
  visitor.say({ type: 'seen', conversationId, seq: 2 });
  visitor.say({ type: 'range', conversationId, after: 0 });
  visitor.say({ type: 'ping' });
  await person.call('POST', `/conversations/${conversationId}/notes`, { id: randomUUID(), text: 'a note' });
  for (const type of ['messages', 'pong'] as const) await hears(visitor, type);
  for (const type of ['conversation', 'queue', 'queueChange', 'note'] as const) await hears(handler, type);
  const all = [
    ...visitor.heard.map((frame) => ['Visitor', frame] as const),
    ...handler.heard.map((frame) => ['Staff', frame] as const),
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
