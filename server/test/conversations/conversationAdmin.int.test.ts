import { randomUUID } from 'node:crypto';
import type { AdminRow } from '@settee/protocol/calls/conversationAdminCalls';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { LiveClient } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import {
  createAdministrator,
  createChat,
  createStaff,
  type Person,
  say,
  sendOver,
  settled,
  watchAs,
} from '../support/people.ts';
import { soon } from '../support/soon.ts';
import { completely, indexAll, writeConversations } from '../support/writtenConversations.ts';

let server: TestServer;
let admin: Person;
let east: Person;
beforeAll(async () => {
  server = await startTestServer({ config: { sendBurst: 1_000, sendPerSecond: 1_000 } });
  admin = await createAdministrator(server);
  east = await createStaff(server, 'ca-east');
  await createStaff(server, 'ca-west');
});
afterAll(() => server.close());

/** Not over the gateway's connections, which end a statement after 15 s. */
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.asOwner(text, values)).rows as Row[];

/** The audit entries of this conversation, newest last. */
const audit = (conversationId: string) =>
  query<{ actor: string; action: string; details: object }>(
    'select actor, action, details from audit where target = $1 order by id',
    [conversationId],
  );

async function list(filter: Record<string, string> = {}): Promise<AdminRow[]> {
  const rows: AdminRow[] = [];
  let next: string | null = null;
  do {
    const search = new URLSearchParams({ ...filter, ...(next !== null && { before: next }) });
    const { status, body } = await admin.call('GET', `/manage/conversations?${search}`);
    expect(status).toBe(200);
    expect(body.rows.length).toBeLessThanOrEqual(50);
    rows.push(...body.rows);
    next = body.next;
  } while (next !== null);
  return rows;
}

const idsOf = (rows: readonly { conversationId: string }[]) => rows.map((row) => row.conversationId);

const BY_TIME = `order by date_trunc('milliseconds',
  case when status = 'open' then last_message_at else closed_at end) desc`;
const ORDER = `${BY_TIME}, id`;

test('the list equals hand-written SQL, page by page, for every filter', async () => {
  for (const alias of ['ca-east', 'ca-west']) {
    await writeConversations(server, { alias, conversations: 70, messages: 2, label: `Lyon ${alias}` });
    await writeConversations(server, { alias, conversations: 60, messages: 1, closed: true });
  }
  // Many at the same moment, some blocked, some waiting, with times to the microsecond.
  const everySecond = (status: string) =>
    `(select id from (select id, row_number() over (partition by handler_alias order by id) as n
       from conversations where status = '${status}') counted where n % 2 = 0)`;
  await query(`update conversations set status = 'blocked' where id in ${everySecond('closed')}`);
  await query(`update conversations set waiting_since = last_message_at where id in ${everySecond('open')}`);
  await query(
    `update conversations set last_message_at = timestamptz '2026-11-01 00:00:00.0004Z' + interval '1 second' * (n % 9),
       closed_at = case when status <> 'open' then timestamptz '2026-11-01 00:00:00Z' + interval '1 second' * (n % 7) end
     from (select id as key, row_number() over () as n from conversations) numbered where numbered.key = id`,
  );
  const cases: [Record<string, string>, string][] = [
    [{}, 'true'],
    [{ show: 'open' }, "status = 'open'"],
    [{ show: 'closed' }, "status = 'closed'"],
    [{ show: 'blocked' }, "status = 'blocked'"],
    [{ show: 'waiting' }, "status = 'open' and waiting_since is not null"],
    [{ alias: 'ca-east' }, "handler_alias = 'ca-east'"],
    [{ alias: 'ca-east', show: 'blocked' }, "handler_alias = 'ca-east' and status = 'blocked'"],
    [
      { q: 'lyon', show: 'waiting' },
      "handler_alias like 'ca-%' and status = 'open' and waiting_since is not null",
    ],
  ];
  for (const [filter, where] of cases) {
    const expected = await query<{ id: string }>(`select id from conversations where ${where} ${ORDER}`);
    expect(expected.length).toBeGreaterThan(3);
    expect(idsOf(await list(filter)), JSON.stringify(filter)).toEqual(expected.map(({ id }) => id));
  }
  const [row] = await list({ show: 'closed' });
  const [stored] = await query(
    `select id as "conversationId", handler_alias as "handlerAlias", status, last_seq as head,
       visitor_name as "visitorName", unread, rev,
       (extract(epoch from closed_at) * 1000)::float8 as "closedAt"
     from conversations where id = $1`,
    [row?.conversationId],
  );
  expect(row).toMatchObject(stored ?? {});
});

test('a conversation is found by name, label and id, never by its messages', async () => {
  const [named = ''] = await writeConversations(server, {
    alias: 'ca-east',
    conversations: 1,
    messages: 1,
    name: "Zoë D'Étoile",
    label: 'Kiosk (Porto) 12',
    text: "'xylophone'",
  });
  const [unnamed = ''] = await writeConversations(server, {
    alias: 'ca-west',
    conversations: 1,
    messages: 0,
    name: '',
    closed: true,
  });
  const [device] = await query<{ visitor: string }>(
    `insert into devices (conversation_id, visitor_id, credential)
     select id, visitor_id, 'x' from conversations where id = $1 returning visitor_id as visitor`,
    [unnamed],
  );
  for (const q of [
    'zoe',
    'étoi',
    "d'etoile zo",
    'porto kiosk',
    named,
    named.slice(0, 8),
    named.toUpperCase(),
  ]) {
    expect(idsOf(await list({ q })), q).toEqual([named]);
  }
  expect(idsOf(await list({ q: `V-${device?.visitor.slice(0, 8).toUpperCase()}` }))).toEqual([unnamed]);
  for (const q of ['xylophone', "'; drop table", 'zoe porto nobody']) {
    expect(await list({ q }), q).toEqual([]);
  }
  expect(await list({ q: 'zoe', show: 'closed' })).toEqual([]);
  expect((await admin.call('GET', '/manage/conversations?q=z')).status).toBe(400);
  expect((await admin.call('GET', '/manage/conversations?before=99_x')).status).toBe(400);
});

test('[AUDIT-10] reading another desk’s conversation is in the audit log once an hour, by every way', async () => {
  const { visitor, conversationId } = await createChat(server, 'ca-east');
  const { socket } = await watchAs(visitor, conversationId);
  await sendOver(socket, conversationId, 'hello');
  const { socket: seat } = await watchAs(east, conversationId);
  const before = (await visitor.call('GET', `/conversations/${conversationId}`)).body.conversation;
  seat.received.length = 0;

  const { socket: looking } = await watchAs(admin, conversationId);
  await admin.call('GET', `/conversations/${conversationId}/messages`);
  await watchAs(admin, conversationId);
  expect((await audit(conversationId)).map(({ action }) => action)).toEqual(['conversation.view']);
  // Watching sends nothing to others and marks nothing as seen.
  await settled(looking);
  expect((await visitor.call('GET', `/conversations/${conversationId}`)).body.conversation).toEqual(before);
  expect(seat.received.filter(({ type }) => type === 'colleague')).toEqual([]);

  await query(`update conversation_views set at = now() - interval '61 minutes'`);
  await admin.call('GET', `/conversations/${conversationId}/messages`);
  expect(await audit(conversationId)).toHaveLength(2);
  await east.call('GET', `/conversations/${conversationId}/messages`);
  expect(await audit(conversationId)).toHaveLength(2);
  const missing = await admin.call('GET', `/conversations/${randomUUID()}/messages`);
  expect(missing.status).toBe(404);
});

test('[AUDIT-10] socket pages, notes, images and a search count as reading', async () => {
  const { visitor, conversationId } = await createChat(server, 'ca-east');
  const { socket } = await watchAs(visitor, conversationId);
  await sendOver(socket, conversationId, 'a quincunx of elms');
  await indexAll(server);
  const live = await admin.live();
  const path = `/conversations/${conversationId}`;
  const doors: (() => Promise<unknown>)[] = [
    async () => {
      live.send({ type: 'range', conversationId, after: 0 });
      await live.next('messages');
    },
    () => admin.call('GET', `${path}/notes`),
    () => admin.call('GET', `${path}/media/${randomUUID()}`),
    () => admin.call('GET', '/search?q=quincunx'),
  ];
  for (const [place, door] of doors.entries()) {
    await query('delete from conversation_views where conversation_id = $1', [conversationId]);
    await door();
    expect(await audit(conversationId), String(place)).toHaveLength(place + 1);
    await door();
    expect(await audit(conversationId), String(place)).toHaveLength(place + 1);
  }
  await east.call('GET', `${path}/notes`);
  expect(await audit(conversationId)).toHaveLength(doors.length);
});

test('[AUDIT-10] reading a conversation delays no send, even while another holds the log', async () => {
  const { visitor, conversationId } = await createChat(server, 'ca-east');
  const holding = new pg.Client(server.ownerUrl);
  await holding.connect();
  await holding.query('begin');
  await holding.query('select from audit_head for update');
  const reading = admin.call('GET', `/conversations/${conversationId}/messages`);
  await expect
    .poll(() =>
      query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%audit%'",
      ),
    )
    .toHaveLength(1);
  const message = { id: randomUUID(), text: 'hello' };
  // A send that waits for the lock would never end.
  const sent = await visitor.call('POST', `/conversations/${conversationId}/messages`, message);
  expect(sent.status).toBe(200);
  await holding.end();
  expect((await reading).status).toBe(200);
});

test('[ADMIN-48] an administrator with a desk is not online because the admin area is open', async () => {
  const boss = await createStaff(server, 'ca-boss');
  await query("update staff set role = 'admin' where alias = 'ca-boss'");
  await query(
    `update staff_sessions set second_factor_at = now() from staff where staff.id = staff_id and alias = 'ca-boss'`,
  );
  const present = () => query("select from presence where alias = 'ca-boss' and expires_at > now()");
  const page = new LiveClient(server.url, server.app.config.publicUrl);
  await page.opened();
  page.send({ type: 'hello', version: PROTOCOL_VERSION, token: boss.browser.token, manages: true });
  await page.next('welcome');
  page.send({ type: 'watchManagement' });
  await settled(page);
  expect(await present()).toEqual([]);
  const seat = await boss.live();
  await vi.waitFor(async () => expect(await present()).toHaveLength(1), soon);
  page.close();
  await settled(seat);
  expect(await present()).toHaveLength(1);
});

test('[CONSOLE-28] many are reassigned in one call; missing ones and those already there are reported', async () => {
  const there = await writeConversations(server, { alias: 'ca-heir', conversations: 5, messages: 0 });
  await createStaff(server, 'ca-heir');
  const mine = await writeConversations(server, { alias: 'ca-old', conversations: 60, messages: 1 });
  const gone = Array.from({ length: 10 }, () => randomUUID());
  const { status, body } = await admin.call('POST', '/manage/conversations/reassign', {
    ids: [...mine, ...there, ...gone],
    alias: 'ca-heir',
    note: '  for you ',
  });
  expect(status).toBe(200);
  expect(body.moved).toBe(60);
  expect(body.missed.toSorted()).toEqual([...there, ...gone].toSorted());
  const [count] = await query(
    `select count(*)::int as moved, count(*) filter (where marked_unread)::int as unread,
       (select count(*)::int from notes where conversation_id = any ($1) and text = 'for you'
         and from_alias = 'ca-old' and to_alias = 'ca-heir') as notes,
       (select count(*)::int from audit where target = any ($1::text[]) and action = 'conversation.transfer'
         and details = '{"from": "ca-old", "to": "ca-heir"}') as audited
     from conversations where id = any ($1) and handler_alias = 'ca-heir'`,
    [mine],
  );
  expect(count).toEqual({ moved: 60, unread: 60, notes: 60, audited: 60 });
  const nowhere = await admin.call('POST', '/manage/conversations/reassign', {
    ids: mine.slice(0, 1),
    alias: 'ca-nobody',
    note: '',
  });
  expect(nowhere.status).toBe(400);
  const tooMany = Array.from({ length: 501 }, () => randomUUID());
  expect((await admin.call('POST', '/manage/conversations/close', { ids: tooMany })).status).toBe(400);
});

test('many are closed: only open ones, each with its line', async () => {
  const open = await writeConversations(server, { alias: 'ca-east', conversations: 3, messages: 0 });
  const closed = await writeConversations(server, {
    alias: 'ca-east',
    conversations: 1,
    messages: 0,
    closed: true,
  });
  const { body } = await admin.call('POST', '/manage/conversations/close', { ids: [...open, ...closed] });
  expect(body).toEqual({ success: true, closed: 3, missed: closed });
  for (const id of open) expect(await audit(id)).toMatchObject([{ action: 'conversation.close' }]);
  expect(await audit(closed[0] ?? '')).toEqual([]);
});

test('[ADMIN-24] a block has a reason and an end for staff; the visitor sees a closed conversation', async () => {
  const blocked = await createChat(server, 'ca-east');
  const closed = await createChat(server, 'ca-east');
  const path = (id: string) => `/conversations/${id}`;
  const set = (id: string, body: object) => admin.call('PUT', `${path(id)}/status`, body);
  for (const wrong of [
    { status: 'blocked', reason: ' ' },
    { status: 'blocked', reason: 'x'.repeat(201) },
    { status: 'blocked', hours: 2 },
    { status: 'open', hours: 24 },
  ]) {
    expect((await set(blocked.conversationId, wrong)).status).toBe(400);
  }
  const answer = await set(blocked.conversationId, { status: 'blocked', reason: ' Insults. ', hours: 24 });
  expect(answer.body.conversation.status).toBe('blocked');
  await set(closed.conversationId, { status: 'closed' });
  await query(`update conversations set closed_at = now() - interval '8 days' where id = any ($1)`, [
    [blocked.conversationId, closed.conversationId],
  ]);

  const seen = async ({ visitor, conversationId }: typeof blocked) => {
    const { id, inviteId, visitorId, createdAt, lastMessageAt, continueCode, ...view } = (
      await visitor.call('GET', path(conversationId))
    ).body.conversation;
    const { watched } = await watchAs(visitor, conversationId);
    expect(watched.conversation).toMatchObject(view);
    const sent = await say(visitor, conversationId);
    return { view, hasCode: /^\d{4}$/.test(continueCode), sent: [sent.status, sent.body] };
  };
  const toVisitor = await seen(blocked);
  expect(toVisitor).toEqual(await seen(closed));
  expect(toVisitor.view).toMatchObject({ status: 'closed', canSend: false });
  expect(JSON.stringify(toVisitor)).not.toContain('nsult');

  const { details } = (await east.call('GET', `${path(blocked.conversationId)}/details`)).body;
  expect(details.block.reason).toBe('Insults.');
  expect(details.block.until - Date.now()).toBeGreaterThan(23.9 * 3_600_000);

  await set(blocked.conversationId, { status: 'open', reason: 'She apologised' });
  expect(await query('select from blocks where conversation_id = $1', [blocked.conversationId])).toEqual([]);
  expect(await audit(blocked.conversationId)).toMatchObject([
    { action: 'conversation.block', details: { reason: true, until: expect.any(String) } },
    { action: 'conversation.open', details: { from: 'blocked', reason: true } },
  ]);
  // The text stays with the conversation and is erased with it. It could not be removed from the log.
  const { notes } = (await east.call('GET', `${path(blocked.conversationId)}/notes`)).body;
  expect(notes).toMatchObject([{ text: 'She apologised' }]);
});

test('[ADMIN-26] an export equals the table, in pages, and every one is in the audit log', async () => {
  const [id = ''] = await writeConversations(server, {
    alias: 'ca-east',
    conversations: 1,
    messages: 4_100,
    name: 'Ada',
    label: 'Lyon',
    text: "repeat('ü', 1 + s.seq % 50) || s.seq",
  });
  await query(
    `update messages set author_id = (select id from staff where alias = 'ca-east' limit 1)
     where conversation_id = $1 and from_owner`,
    [id],
  );
  const read: object[] = [];
  let after: number | null = 0;
  const sizes: number[] = [];
  while (after !== null) {
    const { body } = await admin.call('GET', `/manage/conversations/${id}/export?after=${after}`);
    expect(body.conversation).toMatchObject({
      id,
      visitorName: 'Ada',
      inviteLabel: 'Lyon',
      handlerAlias: 'ca-east',
      status: 'open',
      messages: 4_100,
    });
    read.push(...body.messages);
    sizes.push(body.messages.length);
    after = body.next;
  }
  expect(sizes).toEqual([2_000, 2_000, 100]);
  const stored = await query(
    `select seq, m.id, case when from_owner then 'owner' else 'visitor' end as sender, text,
       round(extract(epoch from m.created_at) * 1000)::float8 as "createdAt", s.name as "writtenBy"
     from messages m left join staff s on s.id = author_id where conversation_id = $1 order by seq`,
    [id],
  );
  expect(read).toEqual(
    stored.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))),
  );
  expect((await audit(id)).map(({ action }) => action)).toEqual(['conversation.export']);
  await admin.call('GET', `/manage/conversations/${id}/export`);
  expect(await audit(id)).toHaveLength(2);
  // Starting in the middle does not avoid the audit entry.
  const other = await createAdministrator(server);
  await other.call('GET', `/manage/conversations/${id}/export?after=1`);
  expect(await audit(id)).toHaveLength(3);
  await other.call('GET', `/manage/conversations/${id}/export?after=0`);
  await other.call('GET', `/manage/conversations/${id}/export?after=1`);
  expect(await audit(id)).toHaveLength(5);
});

async function send(alias: string, text: string): Promise<string> {
  const { visitor, conversationId } = await createChat(server, alias);
  const { socket } = await watchAs(visitor, conversationId);
  await sendOver(socket, conversationId, text);
  return conversationId;
}

test('[AUDIT-10] an administrator finds messages of every desk; the log records that, never the text', async () => {
  const first = await send('ca-east', 'The zeugma is mine');
  const second = await send('ca-west', 'Another Zeugmá, please');
  await indexAll(server);
  const { body } = await completely(() => admin.call('GET', '/manage/messages?q=%20zeugma%20'));
  // Newest first, each with its desk.
  expect(body.messages).toMatchObject([
    { conversationId: second, seq: 1, sender: 'visitor', handlerAlias: 'ca-west' },
    { conversationId: first, seq: 1, text: 'The zeugma is mine', handlerAlias: 'ca-east' },
  ]);
  const lines = await query<{ action: string; target: string; details: object }>(
    "select action, target, details from audit where action in ('messages.search', 'conversation.view')",
  );
  expect(lines).toContainEqual({
    action: 'messages.search',
    target: 'messages',
    details: { length: 6, found: 2 },
  });
  // Showing a conversation in the results counts as reading it.
  for (const target of [first, second])
    expect(lines).toContainEqual(expect.objectContaining({ action: 'conversation.view', target }));
  // Also a search without results.
  await admin.call('GET', '/manage/messages?q=nobodysaidthis');
  expect(
    await query("select details from audit where action = 'messages.search' order by id desc limit 1"),
  ).toEqual([{ details: { length: 14, found: 0 } }]);
  const [{ found } = { found: 1 }] = await query<{ found: number }>(
    "select count(*)::integer as found from audit where audit::text ilike '%zeugma%'",
  );
  expect(found).toBe(0);
});
