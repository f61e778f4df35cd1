import { randomUUID } from 'node:crypto';
import { SAVED_REPLIES_MAX } from '@settee/protocol/model/savedReply';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './harness.ts';
import { createAdministrator, createStaff, createVisitor, type Person } from './people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

let mara: Person;
let noor: Person;
beforeEach(async () => {
  await server.app.db.pool.query('delete from saved_replies');
  mara = await createStaff(server, 'r-mara');
  noor = await createStaff(server, 'r-noor');
});

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

test('a person has a limited number of replies', async () => {
  await server.app.db.pool.query(
    `insert into saved_replies (id, staff_id, shortcut, text)
     select gen_random_uuid(), (select id from staff where alias = 'r-mara' order by created_at desc limit 1), 's' || n, 'x'
     from generate_series(2, $1) n`,
    [SAVED_REPLIES_MAX],
  );
  const last = randomUUID();
  const both = await Promise.all([
    save(mara, last, { shortcut: 'last' }),
    save(mara, randomUUID(), { shortcut: 'one-more' }),
  ]);
  expect(both.map((reply) => reply.status).sort((a, b) => a - b)).toEqual([200, 400]);
  const refused = both.find((reply) => reply.status === 400);
  expect(refused?.body.error).toContain(String(SAVED_REPLIES_MAX));
  const kept = (await mara.call('GET', '/replies')).body.replies;
  expect(kept).toHaveLength(SAVED_REPLIES_MAX);
  // Existing replies can still be changed.
  expect((await save(mara, kept[0].id, { shortcut: kept[0].shortcut, text: 'changed' })).status).toBe(200);
});

test('invalid shortcuts, blank text, visitors and signed-out people are refused', async () => {
  const id = randomUUID();
  for (const shortcut of ['', 'two words', '/hi', 'x'.repeat(25), '-']) {
    expect((await save(mara, id, { shortcut })).status).toBe(400);
  }
  expect((await save(mara, id, { shortcut: 'größe-2', text: 'L' })).status).toBe(200);
  expect((await save(mara, id, { text: '   ' })).status).toBe(400);
  const visitor = await createVisitor(server);
  for (const [method, path, body] of [
    ['GET', '/replies', undefined],
    ['PUT', `/replies/${randomUUID()}`, { shortcut: 'hi', text: 'x', shared: true }],
    ['DELETE', `/replies/${id}`, undefined],
  ] as const) {
    expect((await visitor.call(method, path, body)).status).toBe(403);
    expect((await server.request(method, path, body && { body })).status).toBe(401);
  }
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
