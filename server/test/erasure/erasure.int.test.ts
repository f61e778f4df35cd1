import { randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { purgeExpired } from '../../src/erasure/expiry.store.ts';
import { eraseExpired } from '../../src/erasure/retention.ts';
import { sweepErasures } from '../../src/erasure/sweepErasures.ts';
import { invite, openBrowser } from '../support/browser.ts';
import { inParallel } from '../support/inParallel.ts';
import { openTransaction } from '../support/openTransaction.ts';
import {
  createAdministrator,
  createChat,
  createStaff,
  createVisitor,
  type Person,
  sendOver,
  watchAs,
  watchQueue,
} from '../support/people.ts';
import { begin, png, put, stage, upload, workFor } from '../support/pictures.ts';
import { type PushWorld, startPushWorld } from '../support/pushWorld.ts';
import { writeConversations } from '../support/writtenConversations.ts';
import { searchBucket, searchTables } from './everywhere.ts';

let world: PushWorld;
let admin: Person;
let handler: Person;
beforeAll(async () => {
  world = await startPushWorld();
  handler = await createStaff(world.server, 'e-desk');
  admin = await createAdministrator(world.server);
});
afterAll(() => world.stop());

const word = (what: string) => `${what}${randomBytes(6).toString('hex')}`;
const pool = () => world.server.app.db.pool;

/** An image with a word in its metadata, like that of a camera. */
async function pictureWith(artist: string): Promise<Buffer> {
  return sharp(await png())
    .jpeg()
    .withExif({ IFD0: { Artist: artist } })
    .toBuffer();
}

async function age(): Promise<void> {
  await pool().query("update erasures set erased_at = erased_at - interval '61 minutes'");
}

/** Runs all jobs, also those that are due later. */
async function runAllJobs(): Promise<void> {
  await pool().query('update graphile_worker._private_jobs set run_at = now() where run_at > now()');
  await world.runJobs();
}

/** Waits until a query waits for a lock. */
async function somebodyWaits(): Promise<void> {
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await pool().query(waiting)).rowCount).toBeGreaterThan(0);
}

async function secondLook(): Promise<void> {
  await age();
  const { db, media } = world.server.app;
  await sweepErasures({ db, media });
}

/** A conversation with a unique word in every field that a person can fill. The table search must find them. */
async function writeEverywhere() {
  const { server } = world;
  const words = {
    name: word('Name'),
    profile: word('Profile'),
    text: word('text'),
    reply: word('reply'),
    file: word('file'),
    note: word('note'),
    label: word('label'),
    exif: word('exif'),
    handover: word('handover'),
    block: word('block'),
  };
  const { visitor, conversationId, token, code } = await createChat(server, 'e-desk');
  const path = `/conversations/${conversationId}`;
  const { rows } = await pool().query('select invite_id from conversations where id = $1', [conversationId]);
  const label = { label: words.label, keepDays: null };
  expect((await admin.call('PUT', `/manage/invites/${rows[0].invite_id}`, label)).status).toBe(200);
  // The row of the invite stays, so every text in it must be removed: see endInvite.
  const texts = await pool().query<{ name: keyof typeof words }>(
    `select column_name as name from information_schema.columns where table_name = 'invites'
     and data_type = 'text' and column_name not in ('state', 'handler_alias')`,
  );
  for (const { name } of texts.rows) {
    words[name] ??= word(name);
    await pool().query(`update invites set "${name}" = $1 where id = $2`, [words[name], rows[0].invite_id]);
  }
  await visitor.call('PUT', `${path}/visitorName`, { visitorName: words.name });
  await visitor.call('PUT', '/visitorProfile', { displayName: words.profile });
  const second = await openBrowser(server);
  expect((await second.attach(token, code)).body.success).toBe(true);
  await second.signIn();
  await world.subscribe(visitor, `browser-${conversationId}`);
  await visitor.call('POST', `${path}/messages`, { id: randomUUID(), text: `I said ${words.text} to you` });
  await handler.call('POST', `${path}/messages`, { id: randomUUID(), text: `and ${words.reply} back` });
  await handler.call('POST', `${path}/notes`, { id: randomUUID(), text: words.note });

  const jobs = await workFor(server);
  const ready = await upload(visitor, conversationId, {
    image: await pictureWith(words.exif),
    type: 'image/jpeg',
    fileName: `${words.file}.jpg`,
  });
  await visitor.call('POST', `${path}/media/${ready}/message`, { id: randomUUID() });
  await jobs.stop();
  // One upload that was not processed, and one that was begun but not used.
  await stage(visitor, conversationId, {
    image: await pictureWith(words.exif),
    type: 'image/jpeg',
    fileName: `${words.file}.jpg`,
  });
  const late = await pictureWith(words.exif);
  const begun = await begin(visitor, conversationId, { type: 'image/jpeg', bytes: late.length });
  // Puts it into the search index, as a search does.
  const found = async () => (await handler.call('GET', `/search?q=${words.text}`)).body.messages;
  await expect.poll(found).toHaveLength(1);
  await admin.call('POST', `${path}/transfer`, { alias: 'e-other', note: words.handover });
  // An administrator opens, exports and blocks it. All of this is in the log.
  await admin.call('GET', path);
  expect((await admin.call('GET', `/manage${path}/export`)).status).toBe(200);
  const blocked = { status: 'blocked', reason: words.block, hours: 24 };
  expect((await admin.call('PUT', `${path}/status`, blocked)).status).toBe(200);
  await pool().query("update push_due set due_at = now() + interval '1 hour'");
  const visitors = [visitor.browser.visitorId, second.visitorId];
  return {
    visitor,
    second,
    conversationId,
    token,
    words,
    visitors,
    late,
    uploadUrl: begun.body.uploadUrl as string,
  };
}

beforeAll(async () => {
  await createStaff(world.server, 'e-other');
});

test('[PRIVACY-09] erasing reaches every table and every object: only its record remains', async () => {
  const chat = await writeEverywhere();
  const { conversationId, words, visitors, late, uploadUrl } = chat;
  const inWords = Object.values(words);
  const ids = [conversationId, ...visitors];

  // Proves that the search works: before the erasure it finds each word.
  const before = [
    ...(await searchTables(world.server, [...inWords, ...ids])),
    ...(await searchBucket([words.exif, conversationId])),
  ];
  const names = new Set(before.map((found) => found.word));
  expect([...inWords, ...ids].filter((each) => !names.has(each))).toEqual([]);
  const places = new Set(
    before.map(({ where }) => where.replace(/messages_\d+/, 'messages_n').split('/')[0]),
  );
  for (const place of [
    '"public"."conversations".visitor_name',
    '"public"."visitor_profiles".display_name',
    '"public"."messages_n".text',
    '"public"."messages_n".author_id',
    '"public"."media".file_name',
    '"public"."notes".text',
    '"public"."blocks".reason',
    '"public"."conversation_views".conversation_id',
    '"public"."invites".label',
    '"public"."search_entries".words',
    '"public"."search_heads".visitor_name',
    '"public"."devices".visitor_id',
    '"public"."push_subscriptions".visitor_id',
    '"public"."push_due".conversation_id',
    'bucket',
  ]) {
    expect([...places]).toContain(place);
  }

  // A visitor cannot delete a blocked conversation.
  await admin.call('PUT', `/conversations/${conversationId}/status`, { status: 'open', from: 'blocked' });
  expect((await chat.visitor.call('DELETE', `/conversations/${conversationId}`)).body).toEqual({
    success: true,
  });
  await runAllJobs();
  // Already now, an hour before the second look.
  expect(await searchTables(world.server, inWords)).toEqual([]);
  expect((await searchTables(world.server, ids)).map(({ where }) => where)).toEqual([
    '"public"."audit".target',
    '"public"."deleted_conversations".conversation_id',
    '"public"."erasures".conversation_id',
    ...visitors.map(() => '"public"."erasures".visitors'),
  ]);
  expect(await searchBucket([words.exif])).toEqual([]);
  // The earlier upload URL still works, but nothing refers to the object, and it is removed.
  expect(await put(uploadUrl, late, 'image/jpeg')).toBe(200);
  expect(await searchBucket([words.exif])).toHaveLength(1);
  await secondLook();
  await runAllJobs();

  expect(await searchTables(world.server, inWords)).toEqual([]);
  expect(await searchTables(world.server, visitors)).toEqual([]);
  expect(await searchTables(world.server, [conversationId])).toEqual([
    { where: '"public"."audit".target', word: conversationId },
    { where: '"public"."deleted_conversations".conversation_id', word: conversationId },
  ]);
  expect(await searchBucket([...inWords, ...ids])).toEqual([]);
  const { rows } = await pool().query('select actor, action, details from audit where target = $1', [
    conversationId,
  ]);
  expect(rows).toContainEqual({ actor: 'visitor', action: 'conversation.erase', details: {} });
});

test('[PRIVACY-07] the link shows as revoked on every device; nobody can read or write, at any gateway', async () => {
  const { server } = world;
  const other = await server.startAnother();
  const { visitor, conversationId, token } = await createChat(server, 'e-desk');
  const path = `/conversations/${conversationId}`;
  const sockets = [
    (await watchAs(visitor, conversationId)).socket,
    (await watchAs(handler, conversationId)).socket,
    (await watchAs(visitor, conversationId, other.url)).socket,
    (await watchAs(handler, conversationId, other.url)).socket,
  ];
  const [own] = sockets;
  if (own) await sendOver(own, conversationId, 'hello');
  const { socket: desk } = await watchQueue(handler);

  expect((await visitor.call('DELETE', path)).status).toBe(200);
  for (const socket of sockets) await socket.next('gone', (frame) => frame.conversationId === conversationId);
  await desk.next('queueChange', ({ gone }) => gone.includes(conversationId));

  for (const person of [visitor, handler, admin]) {
    expect((await person.call('GET', path)).status).toBe(404);
    const sent = await person.call('POST', `${path}/messages`, { id: randomUUID(), text: 'still there?' });
    expect([sent.status, sent.body.code]).toEqual([404, 'not_found']);
  }
  expect((await handler.call('POST', `${path}/notes`, { id: randomUUID(), text: 'x' })).status).toBe(404);
  const checked = await server.request('GET', `/checkInvite/${token}`);
  expect([checked.status, checked.body.revoked, checked.body.error]).toEqual([
    410,
    true,
    'This invite link has been revoked',
  ]);
  const claim = await (await openBrowser(server)).claim(token);
  expect(claim.body.error).toBe('This invite link has been revoked');
  // A repeated request succeeds, because the answer may have been lost. Others do not learn that it existed.
  expect((await visitor.call('DELETE', path)).status).toBe(200);
  expect((await (await createVisitor(server)).call('DELETE', path)).status).toBe(404);
  await secondLook();
  expect((await visitor.call('DELETE', path)).status).toBe(404);
  for (const socket of [...sockets, desk]) socket.close();
});

test('[PRIVACY-07] a visitor with another chat keeps name and notifications there', async () => {
  const { server } = world;
  const first = await createChat(server, 'e-desk');
  const { visitor } = first;
  const claimed = await visitor.browser.claim(await invite(server, 'e-desk'));
  await visitor.browser.signIn();
  await visitor.call('PUT', '/visitorProfile', { displayName: 'Two Chats' });
  await world.subscribe(visitor, `two-${first.conversationId}`);
  expect((await visitor.call('DELETE', `/conversations/${first.conversationId}`)).status).toBe(200);
  await secondLook();
  expect((await visitor.call('GET', '/visitorProfile')).body.profile).toMatchObject({
    displayName: 'Two Chats',
    fcmToken: expect.any(String),
  });
  expect((await visitor.call('GET', `/conversations/${claimed.body.conversationId}`)).status).toBe(200);
});

test('[PRIVACY-10] an administrator erases any conversation; the log records who, which and why, and no content', async () => {
  const { visitor, conversationId } = await createChat(world.server, 'e-desk');
  await visitor.call('PUT', `/conversations/${conversationId}/visitorName`, { visitorName: 'Canary Person' });
  const path = `/manage/conversations/${conversationId}`;
  expect((await admin.call('DELETE', `${path}?reason=${encodeURIComponent('she asked me')}`)).status).toBe(
    400,
  );
  expect((await admin.call('DELETE', `${path}?reason=asked`)).body).toEqual({ success: true });
  expect((await admin.call('DELETE', path)).status).toBe(404);
  const { rows } = await pool().query(
    "select actor, details from audit where target = $1 and action = 'conversation.erase'",
    [conversationId],
  );
  expect(rows).toEqual([{ actor: expect.stringMatching(/^[0-9a-f-]{36}$/), details: { reason: 'asked' } }]);
  const { rows: all } = await pool().query(
    "select 1 from audit where details::text ilike '%canary%' or target ilike '%canary%'",
  );
  expect(all).toEqual([]);
});

test('[PRIVACY-09] a long conversation is erased in steps, and a crash in the middle loses no progress', async () => {
  const { server } = world;
  const [id = ''] = await writeConversations(server, {
    alias: 'e-desk',
    conversations: 1,
    messages: 12_000,
  });
  const count = async (table: string) =>
    Number(
      (await pool().query(`select count(*) from ${table} where conversation_id = $1`, [id])).rows[0].count,
    );
  expect((await admin.call('DELETE', `/manage/conversations/${id}`)).status).toBe(200);
  // The call does not wait for all of it, and the rest is unreachable.
  expect(await count('messages')).toBe(7_000);
  expect((await admin.call('GET', `/conversations/${id}`)).status).toBe(404);
  expect(
    (await handler.call('POST', `/conversations/${id}/messages`, { id: randomUUID(), text: 'x' })).status,
  ).toBe(404);
  // The worker died with the job. graphile-worker would wait for hours; the second look does not.
  await pool().query(
    "update graphile_worker._private_jobs set locked_at = now(), locked_by = 'dead' where key = 'finishErasure ' || $1",
    [id],
  );
  await secondLook();
  for (const table of ['messages', 'search_entries', 'search_heads', 'erasures'])
    expect([table, await count(table)]).toEqual([table, 0]);
});

test('[PRIVACY-09] a message, upload, name or index entry at that moment does not come back', async () => {
  const { server } = world;
  const errors = vi.spyOn(server.app.log, 'error');
  const warnings = vi.spyOn(server.app.log, 'warn');
  onTestFinished(() => void vi.restoreAllMocks());
  for (let round = 0; round < 2; round++) {
    const { visitor, conversationId } = await createChat(server, 'e-desk');
    const path = `/conversations/${conversationId}`;
    const image = await png();
    const writing = Array.from({ length: 12 }, (_, i) => [
      () => visitor.call('POST', `${path}/messages`, { id: randomUUID(), text: `racing${i}` }),
      () => handler.call('POST', `${path}/messages`, { id: randomUUID(), text: `answering${i}` }),
      () => handler.call('POST', `${path}/notes`, { id: randomUUID(), text: `noting${i}` }),
      () => begin(visitor, conversationId, { bytes: image.length }),
      () => visitor.call('PUT', '/visitorProfile', { displayName: `Racer ${i}` }),
      () => handler.call('GET', `/search?q=racing${i}`),
    ]).flat();
    // In the middle, so that there are calls before, during and after it.
    const erase = () => visitor.call('DELETE', path);
    const answers = await inParallel(server, writing.toSpliced(writing.length / 2, 0, erase));
    expect(answers[writing.length / 2]?.status).toBe(200);
    // Success or a clear refusal, also of what waits too long (503).
    expect(
      answers
        .filter(({ status }) => ![200, 403, 404, 429, 503].includes(status))
        .map(({ status, body }) => [status, body]),
    ).toEqual([]);
    const logged = [...errors.mock.calls, ...warnings.mock.calls].map((call) => JSON.stringify(call));
    expect(logged.filter((line) => !/timeout|57014|55P03/i.test(line))).toEqual([]);
    await runAllJobs();
    await secondLook();
    await runAllJobs();
    expect(await searchTables(server, [visitor.browser.visitorId])).toEqual([]);
    const left = await searchTables(server, [conversationId]);
    expect(left.filter(({ where }) => !/"(?:audit|deleted_conversations)"/.test(where))).toEqual([]);
  }
});

test('[PRIVACY-09] while storage is down the rows are erased, and the bytes when it returns', async () => {
  const { server } = world;
  const { visitor, conversationId } = await createChat(server, 'e-desk');
  const jobs = await workFor(server);
  await upload(visitor, conversationId);
  await jobs.stop();
  expect(await searchBucket([conversationId])).toHaveLength(1);
  expect((await visitor.call('DELETE', `/conversations/${conversationId}`)).status).toBe(200);
  await age();
  const { db, media } = server.app;
  const away = { ...media, removeAll: () => Promise.reject(new Error('away')) };
  await expect(sweepErasures({ db, media: away })).rejects.toThrow('away');
  expect(
    (await pool().query('select from erasures where conversation_id = $1', [conversationId])).rowCount,
  ).toBe(1);
  await sweepErasures({ db, media });
  expect(await searchBucket([conversationId])).toEqual([]);
});

test('[PRIVACY-05] only the visitor downloads the whole conversation', async () => {
  const { server } = world;
  const { visitor, conversationId } = await createChat(server, 'e-desk');
  const path = `/conversations/${conversationId}/export`;
  await pool().query(
    `insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
     select $1, s, gen_random_uuid(), s % 2 = 0, gen_random_uuid(), now(), 'message ' || s from generate_series(1, 1234) s`,
    [conversationId],
  );
  await pool().query('update conversations set last_seq = 1234 where id = $1', [conversationId]);
  const seqs: number[] = [];
  let after: number | null = 0;
  while (after !== null) {
    const { body } = await visitor.call('GET', `${path}?after=${after}`);
    expect(Object.keys(body).sort()).toEqual(['conversation', 'messages', 'next', 'success']);
    expect(body.conversation).not.toHaveProperty('handlerAlias');
    seqs.push(...body.messages.map((message: { seq: number }) => message.seq));
    after = body.next;
  }
  expect(seqs).toEqual(Array.from({ length: 1_234 }, (_, i) => i + 1));
  expect((await handler.call('GET', path)).status).toBe(403);
});

test('[PRIVACY-12] conversations are erased after their days, by the installation’s number or the invite’s', async () => {
  const { server } = world;
  const { db } = server.app;
  const ids = await writeConversations(server, { alias: 'r-desk', conversations: 6, messages: 3 });
  const silent = async (index: number, days: number, keep: number | null, more = '') => {
    await pool().query(
      `update conversations set last_message_at = now() - make_interval(days => $2) ${more} where id = $1`,
      [ids[index], days],
    );
    await pool().query(
      'update invites set keep_days = $2 where id = (select invite_id from conversations where id = $1)',
      [ids[index], keep],
    );
  };
  await silent(0, 31, null); // older than the installation's
  await silent(1, 29, null); // younger
  await silent(2, 31, 90); // its invite keeps it longer
  await silent(3, 8, 7); // its invite keeps it shorter
  await silent(4, 31, null, ", status = 'closed', closed_at = now()"); // closed a moment ago, but silent for long
  await silent(5, 400, null);
  const there = async () =>
    (await pool().query<{ id: string }>('select id from conversations where id = any($1)', [ids])).rows
      .map(({ id }) => ids.indexOf(id))
      .sort((a, b) => a - b);

  // The effect of a change is counted in advance, by the same rules and without changing anything.
  await pool().query('update brand set keep_days = null');
  const counted = async (query: string) =>
    (await admin.call('GET', `/manage/retention${query}`)).body.conversations as number;
  const inviteOf = async (index: number): Promise<string> =>
    (
      await pool().query<{ invite_id: string }>('select invite_id from conversations where id = $1', [
        ids[index],
      ])
    ).rows[0]?.invite_id ?? '';
  expect(await counted('')).toBe(1);
  expect(await counted('?days=30')).toBe(4);
  expect(await counted('?days=399')).toBe(2);
  expect(await counted(`?inviteId=${await inviteOf(2)}&days=30`)).toBe(1);
  expect(await counted(`?inviteId=${await inviteOf(2)}&days=32`)).toBe(0);
  expect(await counted(`?inviteId=${await inviteOf(2)}`)).toBe(0);
  await pool().query('update brand set keep_days = 30');
  expect(await counted(`?inviteId=${await inviteOf(2)}`)).toBe(1);
  expect(await there()).toEqual([0, 1, 2, 3, 4, 5]);

  // With no retention, only the invite's own limit applies.
  await pool().query('update brand set keep_days = null');
  expect(await eraseExpired({ db })).toEqual({ conversations: 1, invites: 0 });
  expect(await there()).toEqual([0, 1, 2, 4, 5]);

  await pool().query('update brand set keep_days = 30');
  expect(await eraseExpired({ db })).toMatchObject({ conversations: 3 });
  expect(await there()).toEqual([1, 2]);
  expect(await eraseExpired({ db })).toEqual({ conversations: 0, invites: 0 });
  // Each has an audit entry, so a killed worker has recorded everything that it did.
  const { rows } = await pool().query<{ target: string }>(
    "select target from audit where action = 'conversation.erase' and actor = 'system'",
  );
  expect(rows.map(({ target }) => ids.indexOf(target)).sort((a, b) => a - b)).toEqual([0, 3, 4, 5]);

  // Unused invites, and those erased with their conversation.
  await pool().query(
    `insert into invites (token_hash, label, handler_alias, state, expires_at, revoked_at)
     select sha256(gen_random_uuid()::text::bytea), 'old', 'r-desk', s.state, now() - s.ended, now() - s.ended
     from (values ('NEW', interval '31 days'), ('SEEN', interval '29 days'), ('REVOKED', interval '31 days')) as s (state, ended)`,
  );
  expect(await eraseExpired({ db })).toEqual({ conversations: 0, invites: 2 });
  const { rows: entries } = await pool().query(
    "select actor, target, details from audit where action = 'retention.run'",
  );
  expect(entries).toEqual([{ actor: 'system', target: 'invites', details: { invites: 2 } }]);
  expect((await pool().query("select state from invites where label = 'old'")).rows).toEqual([
    { state: 'SEEN' },
  ]);
  await pool().query('update brand set keep_days = null');
});

test('[PRIVACY-12] a run over many pages of the tables finds every expired conversation and invite', async () => {
  const { db } = world.server.app;
  const many = await writeConversations(world.server, { alias: 'walked', conversations: 3_000, messages: 0 });
  await pool().query(
    `insert into invites (token_hash, label, handler_alias, expires_at)
     select sha256(('walked' || n)::bytea), 'Unused ' || n, 'walked', now() - interval '1 day' * (29 + 2 * (n % 2))
     from generate_series(1, 4000) n`,
  );
  const old = many.filter((_, index) => index % 250 === 0 || index === many.length - 1);
  await pool().query(
    "update conversations set last_message_at = now() - interval '31 days' where id = any ($1)",
    [old],
  );
  await pool().query('update brand set keep_days = 30');
  expect(await eraseExpired({ db })).toEqual({ conversations: old.length, invites: 2_000 });
  expect(await eraseExpired({ db })).toEqual({ conversations: 0, invites: 0 });
  await pool().query('update brand set keep_days = null');
});

test('[PRIVACY-12] a conversation that is written in before its erasure stays; an open page learns of an erasure', async () => {
  const { server } = world;
  const { db } = server.app;
  await pool().query('update brand set keep_days = 30');
  const { visitor, conversationId } = await createChat(server, 'e-desk');
  await pool().query("update conversations set last_message_at = now() - interval '31 days' where id = $1", [
    conversationId,
  ]);
  const sending = await openTransaction(server);
  await sending.query('update conversations set last_message_at = now() where id = $1', [conversationId]);
  const run = eraseExpired({ db });
  await somebodyWaits();
  await sending.commit();
  expect(await run).toMatchObject({ conversations: 0 });
  expect((await visitor.call('GET', `/conversations/${conversationId}`)).status).toBe(200);

  const { socket } = await watchAs(visitor, conversationId);
  await pool().query("update conversations set last_message_at = now() - interval '31 days' where id = $1", [
    conversationId,
  ]);
  expect(await eraseExpired({ db })).toMatchObject({ conversations: 1 });
  // No gateway did it and no hint announces it: the sweep finds it.
  await socket.next('gone', (frame) => frame.conversationId === conversationId);
  socket.close();
  await pool().query('update brand set keep_days = null');
});

test('[MSG-22] a blocked visitor deletes nothing, and does not learn of the block', async () => {
  const { visitor, conversationId } = await createChat(world.server, 'e-desk');
  const path = `/conversations/${conversationId}`;
  await visitor.call('POST', `${path}/messages`, { id: randomUUID(), text: 'evidence' });
  await handler.call('PUT', `${path}/status`, { status: 'blocked' });
  const view = (await visitor.call('GET', path)).body.conversation;
  expect(view).toMatchObject({ status: 'closed', canErase: true });
  const refused = await visitor.call('DELETE', path);
  expect(refused.status).toBe(403);
  expect(refused.body).toEqual({
    success: false,
    code: 'access_denied',
    error: 'This conversation can’t be deleted here. Please ask whoever sent you the link.',
  });
  expect((await handler.call('GET', `${path}/messages`)).body.messages).toHaveLength(1);
  await handler.call('PUT', `${path}/status`, { status: 'open', from: 'blocked' });
  expect((await visitor.call('DELETE', path)).status).toBe(200);
});

test('if an administrator switched it off, no visitor deletes', async () => {
  const { visitor, conversationId } = await createChat(world.server, 'e-desk');
  const path = `/conversations/${conversationId}`;
  const saved = await admin.call('PUT', '/manage/profile', { visitorErase: false });
  expect(saved.body.settings.visitorErase).toBe(false);
  try {
    expect((await visitor.call('GET', path)).body.conversation.canErase).toBe(false);
    expect((await visitor.call('DELETE', path)).status).toBe(403);
  } finally {
    await admin.call('PUT', '/manage/profile', { visitorErase: true });
  }
  expect((await visitor.call('GET', path)).body.conversation.canErase).toBe(true);
});

test('[PRIVACY-03] lists record that a conversation was deleted, when and by which side, and nothing else', async () => {
  const { server } = world;
  const desk = await createStaff(server, 'e-deleted');
  const chats = [];
  for (const name of ['Visitors Own', 'By Staff', 'Too Old'])
    chats.push({ ...(await createChat(server, 'e-deleted')), name });
  for (const { visitor, conversationId, name } of chats) {
    await visitor.call('PUT', `/conversations/${conversationId}/visitorName`, { visitorName: name });
    await desk.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
  }
  const [own, theirs, old] = chats;
  if (!own || !theirs || !old) throw new Error('three chats');
  const before = Date.now();
  const { socket } = await watchQueue(desk);
  expect((await own.visitor.call('DELETE', `/conversations/${own.conversationId}`)).status).toBe(200);
  // It was in no queue, but an open list of closed conversations must lose it at once.
  await socket.next('queueChange', ({ gone }) => gone.includes(own.conversationId));
  socket.close();
  expect((await admin.call('DELETE', `/manage/conversations/${theirs.conversationId}`)).status).toBe(200);
  await pool().query("update conversations set last_message_at = now() - interval '40 days' where id = $1", [
    old.conversationId,
  ]);
  await pool().query(
    'update invites set keep_days = 30 where id = (select invite_id from conversations where id = $1)',
    [old.conversationId],
  );
  await eraseExpired({ db: server.app.db });

  const entry = (chat: typeof own, by: string) => ({
    conversationId: chat.conversationId,
    handlerAlias: 'e-deleted',
    deletedAt: expect.any(Number),
    by,
  });
  const deleted = [entry(old, 'retention'), entry(theirs, 'staff'), entry(own, 'visitor')];
  const closed = (await desk.call('GET', '/queue/closed')).body;
  expect(closed.rows).toEqual([]);
  expect(closed.deleted).toEqual(deleted);
  for (const { deletedAt } of closed.deleted) expect(deletedAt).toBeGreaterThan(before - 60_000);
  const all = (await admin.call('GET', '/manage/conversations?alias=e-deleted')).body;
  expect(all.deleted).toEqual(deleted);
  const found = (await admin.call('GET', '/manage/conversations?alias=e-deleted&q=Visitors')).body;
  expect(found.deleted).toEqual([]);
  expect((await handler.call('GET', '/queue/closed')).body.deleted).not.toContainEqual(entry(own, 'visitor'));

  await pool().query(
    "update deleted_conversations set deleted_at = now() - interval '91 days' where conversation_id = $1",
    [own.conversationId],
  );
  expect((await purgeExpired(server.app.db)).deleted_conversations).toBe(1);
  expect((await desk.call('GET', '/queue/closed')).body.deleted).toEqual(deleted.slice(0, 2));
});
