import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff } from './people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('[PRIVACY-15] staff see who wrote the desk’s messages; the visitor’s messages have no author', async () => {
  const ana = await createStaff(server, 'authors');
  const elin = await createStaff(server, 'authors');
  const chat = await createChat(server, 'authors');
  const path = `/conversations/${chat.conversationId}`;
  const write = (by: typeof ana, text: string) =>
    by.call('POST', `${path}/messages`, { id: crypto.randomUUID(), text });
  await write(chat.visitor, 'Hello');
  await write(ana, 'Good morning');
  await write(elin, 'And from me');

  const read = await elin.call('GET', `${path}/authors?from=1&to=9`);
  expect(read.status).toBe(200);
  expect(read.body.authors.map(({ seq }: { seq: number }) => seq)).toEqual([3, 2]);
  const names = new Set(read.body.authors.map(({ author }: { author: { id: string } }) => author.id));
  expect(names.size).toBe(2);
  // Responses to both sides contain no author.
  for (const reader of [elin, chat.visitor]) {
    const { body } = await reader.call('GET', `${path}/messages`);
    expect(JSON.stringify(body)).not.toContain('author');
  }
  expect((await chat.visitor.call('GET', `${path}/authors?from=1&to=9`)).status).toBeGreaterThanOrEqual(400);
});
