import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/harness.ts';
import {
  createAdministrator,
  createChat,
  createStaff,
  type Person,
  sendOver,
  settled,
  watchAs,
  watchQueue,
} from '../support/people.ts';
import { writeConversations } from '../support/writtenConversations.ts';

// No sweep: only the announcement delivers.
let server: TestServer;
let elsewhere: string;
beforeAll(async () => {
  server = await startTestServer({ config: { sweepSeconds: 3_600 } });
  elsewhere = (await server.startAnother()).url;
});
afterAll(() => server.close());

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

test('[CONSOLE-20] a note reaches the consoles in the room at every gateway, once, moves nothing, and never reaches the visitor', async () => {
  const handler = await createStaff(server, 'n-live');
  const admin = await createAdministrator(server);
  const { visitor, conversationId } = await createChat(server, 'n-live');
  const path = `/conversations/${conversationId}`;
  const { socket: writing } = await watchAs(visitor, conversationId);
  const { socket: reading } = await watchAs(visitor, conversationId, elsewhere);
  await sendOver(writing, conversationId, 'hello');
  await reading.next('message');
  const consoles = await Promise.all([
    watchAs(handler, conversationId),
    watchAs(handler, conversationId, elsewhere),
    watchAs(admin, conversationId, elsewhere),
  ]);
  const { socket: queue } = await watchQueue(handler);
  const before = await Promise.all(['', '/queue'].map((rest) => handler.call('GET', rest || path)));

  const visitorReads = () =>
    Promise.all(['', '/messages'].map(async (rest) => (await visitor.call('GET', path + rest)).body));
  const asVisitor = await visitorReads();
  const canary = `canary-${randomUUID()}`;
  const { note } = (await handler.call('POST', `${path}/notes`, { id: randomUUID(), text: canary })).body;
  for (const { socket } of consoles) expect(await socket.next('note')).toEqual({ type: 'note', note });
  // A repeat is not announced.
  await handler.call('POST', `${path}/notes`, { id: note.id, text: note.text });
  for (const { socket } of consoles) {
    await settled(socket);
    expect(socket.received.filter((frame) => frame.type !== 'presence')).toEqual([]);
  }
  const after = await Promise.all(['', '/queue'].map((rest) => handler.call('GET', rest || path)));
  expect(after.map((reply) => reply.body)).toEqual(before.map((reply) => reply.body));
  expect(await visitorReads()).toEqual(asVisitor);
  for (const socket of [writing, reading]) {
    await settled(socket);
    expect(socket.received.filter((frame) => frame.type !== 'presence')).toEqual([]);
  }
  const { watched } = await watchAs(visitor, conversationId, elsewhere);
  expect(JSON.stringify([watched, asVisitor])).not.toContain(canary);
  for (const socket of [writing, reading, queue, ...consoles.map((each) => each.socket)]) socket.close();
});

let mara: Person;
let noor: Person;
beforeAll(async () => {
  mara = await createStaff(server, 'r-mara');
  noor = await createStaff(server, 'r-noor');
});
beforeEach(() => server.app.db.pool.query('delete from saved_replies'));

type Fields = { shortcut?: string; text?: string; shared?: boolean };
const save = (person: Person, id: string, { shortcut = 'hi', text = 'Hello', shared = false }: Fields) =>
  person.call('PUT', `/replies/${id}`, { shortcut, text, shared });
const list = async (person: Person): Promise<string[]> =>
  (await person.call('GET', '/replies')).body.replies.map(
    (reply: { shortcut: string; text: string }) => `${reply.shortcut}: ${reply.text}`,
  );

test('own and shared replies are listed by shortcut, own ones first, with who may change them', async () => {
  const [own, shared] = [randomUUID(), randomUUID()];
  const saved = await save(mara, own, { shortcut: ' Hours ', text: ' We are open, {name}. ' });
  expect(saved.body).toEqual({
    success: true,
    reply: { id: own, shortcut: 'hours', text: 'We are open, {name}.', shared: false, editable: true },
  });
  await save(noor, shared, { shortcut: 'hours', text: 'Everybody’s hours', shared: true });
  await save(mara, randomUUID(), { shortcut: 'zebra', text: 'Z' });
  await save(noor, randomUUID(), { shortcut: 'bye', text: 'Good bye', shared: true });
  await save(noor, randomUUID(), { shortcut: 'private', text: 'Noor’s own' });
  const replies = (await mara.call('GET', '/replies')).body.replies;
  expect(
    replies.map((reply: Record<string, unknown>) => [
      reply.shortcut,
      reply.text,
      reply.shared,
      reply.editable,
    ]),
  ).toEqual([
    ['bye', 'Good bye', true, false],
    ['hours', 'We are open, {name}.', false, true],
    ['hours', 'Everybody’s hours', true, false],
    ['zebra', 'Z', false, true],
  ]);
  const admin = await createAdministrator(server);
  const seen = (await admin.call('GET', '/replies')).body.replies;
  expect(seen.map((reply: { editable: boolean }) => reply.editable)).toEqual([true, true]);
});

test('saving with the same id changes a reply; a shortcut is unique', async () => {
  const id = randomUUID();
  await Promise.all(Array.from({ length: 6 }, () => save(mara, id, { text: 'Hello' })));
  await save(mara, id, { text: 'Hello, {name}' });
  expect(await list(mara)).toEqual(['hi: Hello, {name}']);
  for (const shortcut of ['', 'two words', '/hi', 'x'.repeat(25)])
    expect((await save(mara, randomUUID(), { shortcut })).status).toBe(400);

  const taken = await save(mara, randomUUID(), { shortcut: 'HI' });
  expect([taken.status, taken.body.code]).toEqual([409, 'shortcut_taken']);
  // Others have separate shortcuts, and shared ones are separate from both.
  expect((await save(noor, randomUUID(), { text: 'Noor’s' })).status).toBe(200);
  expect((await save(noor, randomUUID(), { text: 'Shared', shared: true })).status).toBe(200);
  expect((await save(mara, randomUUID(), { text: 'Shared too', shared: true })).body.code).toBe(
    'shortcut_taken',
  );
  expect((await save(mara, id, { text: 'Now shared', shared: true })).body.code).toBe('shortcut_taken');
  expect(await list(mara)).toEqual(['hi: Hello, {name}', 'hi: Shared']);
});

test('only the owner or an administrator changes, shares or deletes a reply', async () => {
  const id = randomUUID();
  await save(mara, id, { text: 'Mine', shared: true });
  const missing = await noor.call('DELETE', `/replies/${randomUUID()}`);
  expect([missing.status, missing.body.code]).toEqual([404, 'not_found']);
  for (const refused of [
    await save(noor, id, { text: 'Taken over', shared: true }),
    await save(noor, id, { text: 'Hidden', shared: false }),
    await noor.call('DELETE', `/replies/${id}`),
    await noor.call('DELETE', '/replies/not-an-id'),
  ]) {
    expect([refused.status, refused.body]).toEqual([404, missing.body]);
  }
  expect(await list(noor)).toEqual(['hi: Mine']);

  const admin = await createAdministrator(server);
  expect((await save(admin, id, { text: 'Mended', shared: true })).body.reply.editable).toBe(true);
  // It still belongs to Mara.
  expect((await mara.call('GET', '/replies')).body.replies[0]).toMatchObject({
    text: 'Mended',
    editable: true,
  });
  expect((await save(mara, id, { text: 'Mine again', shared: false })).status).toBe(200);
  expect(await list(noor)).toEqual([]);
  expect((await admin.call('DELETE', `/replies/${id}`)).body).toEqual({ success: true });
  expect(await list(mara)).toEqual([]);
  expect((await mara.call('DELETE', `/replies/${id}`)).status).toBe(404);
});

test('the audit log lists only shared replies, and never their text', async () => {
  const { pool } = server.app.db;
  const own = randomUUID();
  const shared = randomUUID();
  await save(mara, own, { shortcut: 'own', text: 'secret words' });
  await mara.call('DELETE', `/replies/${own}`);
  await save(mara, shared, { shortcut: 'all', text: 'secret words', shared: true });
  await save(mara, shared, { shortcut: 'all', text: 'secret words', shared: false });
  await save(mara, shared, { shortcut: 'none', text: 'secret words', shared: false });
  await save(mara, shared, { shortcut: 'all', text: 'secret words', shared: true });
  await mara.call('DELETE', `/replies/${shared}`);
  const { rows } = await pool.query('select action, details from audit where target = any($1) order by id', [
    [own, shared],
  ]);
  expect(rows).toEqual([
    { action: 'reply.save', details: { shortcut: 'all', shared: true } },
    { action: 'reply.save', details: { shortcut: 'all', shared: false } },
    { action: 'reply.save', details: { shortcut: 'all', shared: true } },
    { action: 'reply.delete', details: { shortcut: 'all' } },
  ]);
});

const details = async (id: string) => (await mara.call('GET', `/conversations/${id}/details`)).body.details;

/** Messages as sender and second: 'v0 o60' is a question and its answer a minute later. */
async function talk(script: string): Promise<string> {
  const [id = ''] = await writeConversations(server, { alias: 'r-mara', conversations: 1, messages: 0 });
  const messages = script.split(' ').filter(Boolean);
  await server.app.db.pool.query(
    `insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
     select $1, n, gen_random_uuid(), starts_with(m, 'o'), gen_random_uuid(),
       timestamptz '2026-11-15 09:00Z' + substr(m, 2)::float8 * interval '1 second', m
     from unnest($2::text[]) with ordinality as t (m, n)`,
    [id, messages],
  );
  await server.app.db.pool.query('update conversations set last_seq = $2 where id = $1', [
    id,
    messages.length,
  ]);
  return id;
}

test.each([
  ['', null],
  ['o0 o5', null],
  ['v0 o60', 60_000],
  // Counted from the first unanswered message; a second answer does not count.
  ['v0 v50 o60 o90', 60_000],
  ['v0 o10 v20 o40 v50 o350', 20_000],
  // The last question has no answer yet.
  ['v0 o10 v20', 10_000],
])('the median time to a reply of %j is %s', async (script, median) => {
  const id = await talk(script);
  expect(await details(id)).toMatchObject({
    medianReplyMs: median,
    messages: script.split(' ').filter(Boolean).length,
  });
});

test('details include the label, the start, and how many devices have access', async () => {
  const chat = await createChat(server, 'r-mara');
  const second = await createChat(server, 'r-mara');
  await second.visitor.browser.attach(chat.token, chat.code);
  const { body } = await mara.call('GET', `/conversations/${chat.conversationId}`);
  await server.app.db.pool.query(
    "update invites set label = 'Spring fair' where id = (select invite_id from conversations where id = $1)",
    [chat.conversationId],
  );
  expect(await details(chat.conversationId)).toMatchObject({
    inviteLabel: 'Spring fair',
    startedAt: body.conversation.createdAt,
    messages: 0,
    devices: 2,
    medianReplyMs: null,
    block: null,
  });
  await server.app.db.pool.query(
    'update devices set revoked_at = now() where conversation_id = $1 and not first',
    [chat.conversationId],
  );
  expect((await details(chat.conversationId)).devices).toBe(1);
});
