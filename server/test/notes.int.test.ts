import { randomUUID } from 'node:crypto';
import { NOTES_MAX } from '@settee/protocol/model/note';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LiveClient } from './client.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createAdministrator, createChat, createStaff, type Person, sendOver, watchAs } from './people.ts';

// No sweep: only the announcement delivers.
let server: TestServer;
let elsewhere: string;
beforeAll(async () => {
  server = await startTestServer({ config: { sweepSeconds: 3_600 } });
  elsewhere = (await server.startAnother()).url;
});
afterAll(() => server.close());

/** Like the person's `call`, but at the gateway with this URL. */
async function callAt(url: string, person: Person, method: string, path: string, body?: unknown) {
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${person.browser.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** Waits until the socket has received everything sent before. */
async function settled(socket: LiveClient): Promise<void> {
  socket.send({ type: 'ping' });
  await socket.next('pong');
}

test('[CONSOLE-20] a note is placed after the newest message, has its author, and is read oldest first', async () => {
  const handler = await createStaff(server, 'n-one');
  const { visitor, conversationId } = await createChat(server, 'n-one');
  const path = `/conversations/${conversationId}/notes`;
  expect((await handler.call('GET', path)).body).toEqual({ success: true, notes: [] });
  const first = { id: randomUUID(), text: '  Likes to be called Mia.  ' };
  const added = await handler.call('POST', path, first);
  expect(added.body.note).toEqual({
    id: first.id,
    conversationId,
    afterSeq: 0,
    author: 'Handler',
    text: 'Likes to be called Mia.',
    createdAt: expect.any(Number),
  });
  expect(Math.abs(added.body.note.createdAt - Date.now())).toBeLessThan(60_000);

  const { socket } = await watchAs(visitor, conversationId);
  await sendOver(socket, conversationId, 'one');
  await sendOver(socket, conversationId, 'two');
  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
  const second = await handler.call('POST', path, { id: randomUUID(), text: 'Closed for now.' });
  expect(second.body.note.afterSeq).toBe(2);
  expect((await handler.call('GET', path)).body.notes).toEqual([added.body.note, second.body.note]);
  for (const text of ['', '   ', 'x'.repeat(4_001)]) {
    expect((await handler.call('POST', path, { id: randomUUID(), text })).status).toBe(400);
  }
  socket.close();
});

test('[CONSOLE-20] a note sent twice with one id is one note; other text, place or author is refused', async () => {
  const handler = await createStaff(server, 'n-twice');
  const colleague = await createStaff(server, 'n-twice');
  const { conversationId } = await createChat(server, 'n-twice');
  const { conversationId: second } = await createChat(server, 'n-twice');
  const path = `/conversations/${conversationId}/notes`;
  const note = { id: randomUUID(), text: 'Only once' };
  const replies = await Promise.all(Array.from({ length: 8 }, () => handler.call('POST', path, note)));
  for (const reply of replies) expect(reply.body).toEqual(replies[0]?.body);
  expect((await handler.call('GET', path)).body.notes).toHaveLength(1);
  for (const refused of [
    await handler.call('POST', path, { ...note, text: 'Other words' }),
    await handler.call('POST', `/conversations/${second}/notes`, note),
    await colleague.call('POST', path, note),
  ]) {
    expect([refused.status, refused.body.code]).toEqual([409, 'id_reused']);
  }
});

test('[CONSOLE-20] of very many notes the newest are read', async () => {
  const handler = await createStaff(server, 'n-many');
  const { conversationId } = await createChat(server, 'n-many');
  await server.app.db.pool.query(
    `insert into notes (id, conversation_id, after_seq, author_id, text, created_at)
     select gen_random_uuid(), $1, 0, (select id from staff where alias = 'n-many'), n::text, now() + make_interval(secs => n)
     from generate_series(1, $2 + 3) n`,
    [conversationId, NOTES_MAX],
  );
  const { notes } = (await handler.call('GET', `/conversations/${conversationId}/notes`)).body;
  expect(notes).toHaveLength(NOTES_MAX);
  expect([notes[0].text, notes.at(-1).text]).toEqual(['4', String(NOTES_MAX + 3)]);
});

test('[CONSOLE-20] a note reaches the consoles in the room at every gateway, once, and moves nothing', async () => {
  const handler = await createStaff(server, 'n-live');
  const admin = await createAdministrator(server);
  const { visitor, conversationId } = await createChat(server, 'n-live');
  const path = `/conversations/${conversationId}`;
  const { socket: writing } = await watchAs(visitor, conversationId);
  await sendOver(writing, conversationId, 'hello');
  const consoles = await Promise.all([
    watchAs(handler, conversationId),
    watchAs(handler, conversationId, elsewhere),
    watchAs(admin, conversationId, elsewhere),
  ]);
  const queue = await handler.live();
  queue.send({ type: 'watchQueue' });
  await queue.next('queue');
  const before = await Promise.all(['', '/queue'].map((rest) => handler.call('GET', rest || path)));

  const { note } = (await handler.call('POST', `${path}/notes`, { id: randomUUID(), text: 'Look here' }))
    .body;
  for (const { socket } of consoles) expect(await socket.next('note')).toEqual({ type: 'note', note });
  // A repeat is not announced.
  await handler.call('POST', `${path}/notes`, { id: note.id, text: note.text });
  for (const { socket } of consoles) {
    await settled(socket);
    expect(socket.received.filter((frame) => frame.type !== 'presence')).toEqual([]);
  }
  const after = await Promise.all(['', '/queue'].map((rest) => handler.call('GET', rest || path)));
  expect(after.map((reply) => reply.body)).toEqual(before.map((reply) => reply.body));
  for (const socket of [writing, queue, ...consoles.map((each) => each.socket)]) socket.close();
});

test('[CONSOLE-20] the sweep finds a note whose hint was lost', async () => {
  const swept = await startTestServer({ config: { sweepSeconds: 1 } });
  const handler = await createStaff(swept, 'n-lost');
  const { visitor, conversationId } = await createChat(swept, 'n-lost');
  const { socket } = await watchAs(handler, conversationId);
  const { socket: outside } = await watchAs(visitor, conversationId);
  const received = () => socket.received.flatMap((frame) => (frame.type === 'note' ? frame.note.text : []));
  // Stored without any gateway, so there is no hint. The first note may be there before the sweep starts to count.
  let stored = 0;
  await expect
    .poll(
      async () => {
        await swept.app.db.pool.query(
          `insert into notes (id, conversation_id, after_seq, author_id, text)
           select gen_random_uuid(), $1, 0, id, $2 from staff where alias = 'n-lost'`,
          [conversationId, `unheard ${++stored}`],
        );
        return received().length;
      },
      { interval: 300 },
    )
    .toBeGreaterThan(0);
  await expect.poll(() => received().at(-1)).toBe(`unheard ${stored}`);
  expect(new Set(received()).size).toBe(received().length);
  await settled(outside);
  expect(outside.received.filter((frame) => frame.type !== 'presence')).toEqual([]);
  for (const each of [socket, outside]) each.close();
  await swept.close();
});

test('[CONSOLE-20] no frame or answer to a visitor shows a note, at any gateway', async () => {
  // A separate server: nobody else comes or goes, so every frame can be explained.
  const quiet = await startTestServer({ config: { sweepSeconds: 1 } });
  const far = (await quiet.startAnother()).url;
  const handler = await createStaff(quiet, 'n-quiet');
  const heir = await createStaff(quiet, 'n-heir');
  const { visitor, conversationId, token } = await createChat(quiet, 'n-quiet');
  const path = `/conversations/${conversationId}`;
  const desks = await Promise.all([watchAs(handler, conversationId), watchAs(handler, conversationId, far)]);
  const sockets = await Promise.all(
    [quiet.url, far, far].map(async (url) => (await watchAs(visitor, conversationId, url)).socket),
  );
  await visitor.call('PUT', '/visitorProfile', { displayName: 'Mia' });
  await visitor.call('POST', `${path}/messages`, { id: randomUUID(), text: 'hello' });
  for (const socket of sockets) await socket.next('message');
  // By now presence was announced, also by a sweep.
  await expect.poll(async () => (await quiet.request('GET', '/brand')).body.online).toBe(true);
  await new Promise((done) => setTimeout(done, 1_500));
  for (const socket of sockets) {
    await settled(socket);
    socket.received.length = 0;
  }

  const canary = `canary-${randomUUID()}`;
  for (const url of [quiet.url, far]) {
    const reply = await callAt(url, handler, 'POST', `${path}/notes`, { id: randomUUID(), text: canary });
    expect(reply.text).toContain(canary);
    for (const { socket } of desks) expect((await socket.next('note')).note.text).toBe(canary);
  }
  const id = randomUUID();
  await handler.call('POST', `${path}/notes`, { id, text: canary });
  await handler.call('POST', `${path}/notes`, { id, text: `${canary} again` });
  // Longer than a sweep, which must not find anything either.
  await new Promise((done) => setTimeout(done, 1_500));
  for (const socket of sockets) {
    await settled(socket);
    // A busy machine may announce presence late. Such a frame holds nothing but the state.
    const presence = { type: 'presence', online: expect.any(Boolean) };
    expect(socket.received).toEqual(socket.received.map(() => presence));
  }

  // A transfer sends no frame either.
  await handler.call('POST', `${path}/transfer`, { alias: 'n-heir', note: canary });
  expect((await heir.call('GET', `${path}/notes`)).body.notes).toHaveLength(4);
  await heir.call('POST', `${path}/notes`, { id: randomUUID(), text: canary });
  const asked = [];
  for (const url of [quiet.url, far]) {
    for (const call of [path, `${path}/messages`, '/brand', '/visitorProfile', `/checkInvite/${token}`]) {
      const reply = await callAt(url, visitor, 'GET', call);
      expect([call, reply.status]).toEqual([call, 200]);
      asked.push(reply.text);
    }
    for (const call of [
      `${path}/notes`,
      `${path}/details`,
      '/queue',
      '/search?q=canary',
      '/replies',
      '/desks',
    ]) {
      const reply = await callAt(url, visitor, 'GET', call);
      expect([call, reply.status]).toEqual([call, 403]);
      asked.push(reply.text);
    }
  }
  for (const socket of sockets) {
    await settled(socket);
    // A busy machine may announce presence late. Such a frame holds nothing but the state.
    const presence = { type: 'presence', online: expect.any(Boolean) };
    expect(socket.received).toEqual(socket.received.map(() => presence));
  }
  const fresh = await watchAs(visitor, conversationId, far);
  asked.push(JSON.stringify(fresh.watched));
  expect(asked.filter((text) => /canary|n-heir|n-quiet|note/.test(text))).toEqual([]);
  for (const socket of [...sockets, fresh.socket, ...desks.map((desk) => desk.socket)]) socket.close();
  await quiet.close();
});
