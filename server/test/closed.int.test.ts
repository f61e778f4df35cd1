import { CLOSED_PAGE, type ClosedRow } from '@settee/protocol/model/conversation';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff, type Person, sendOver, watchAs } from './people.ts';
import { writeConversations } from './writtenConversations.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

async function closed(handler: Person, before?: string): Promise<{ rows: ClosedRow[]; next: string | null }> {
  const { status, body } = await handler.call('GET', `/queue/closed${before ? `?before=${before}` : ''}`);
  expect(status).toBe(200);
  return body;
}

test('[QUEUE-29] closed and blocked conversations, newest first, in pages without gaps or duplicates', async () => {
  const handler = await createStaff(server, 'ended');
  const ids = await writeConversations(server, {
    alias: 'ended',
    conversations: 2 * CLOSED_PAGE + 10,
    messages: 1,
    closed: true,
  });
  // Thirty in the same millisecond: only their ids decide the order, not their microseconds.
  await server.app.db.pool.query(
    `update conversations c set closed_at = timestamptz '2026-11-15 09:41:00.0001' + i.at / 30 * interval '1 millisecond'
         + i.at % 7 * interval '50 microseconds',
       status = case when i.at % 4 = 0 then 'blocked' else 'closed' end
     from unnest($1::uuid[]) with ordinality as i (id, at) where c.id = i.id`,
    [ids],
  );
  const seen: ClosedRow[] = [];
  let next: string | null | undefined;
  const sizes: number[] = [];
  do {
    const page = await closed(handler, next ?? undefined);
    seen.push(...page.rows);
    sizes.push(page.rows.length);
    ({ next } = page);
  } while (next !== null);
  expect(sizes).toEqual([CLOSED_PAGE, CLOSED_PAGE, 10]);
  expect(seen.map((row) => row.conversationId).toSorted()).toEqual(ids.toSorted());
  const order = seen.map((row) => `${1e15 - row.closedAt} ${row.conversationId}`);
  expect(order).toEqual(order.toSorted());
  expect(new Set(seen.map((row) => row.status))).toEqual(new Set(['closed', 'blocked']));
  expect(seen[0]).toMatchObject({ visitorName: 'Ada', head: 1, unread: 0, closedAt: expect.any(Number) });

  // If the last page is full, there is no further page.
  await server.app.db.pool.query("update conversations set status = 'open' where id = any($1)", [
    ids.slice(0, 10),
  ]);
  const { next: second } = await closed(handler);
  expect((await closed(handler, second ?? '')).next).toBeNull();
});

test('[QUEUE-29] the page cursor is validated', async () => {
  const handler = await createStaff(server, 'cursors');
  for (const before of ['yesterday', `1_${'-'.repeat(36)}`, `9999999999999999_${crypto.randomUUID()}`])
    expect((await handler.call('GET', `/queue/closed?before=${before}`)).status, before).toBe(400);
  for (const before of ['0', '8640000000000000'])
    expect(await closed(handler, `${before}_${crypto.randomUUID()}`)).toMatchObject({ rows: [], next: null });
});

test('[QUEUE-29] a reopened conversation returns to its position in the queue, with its wait', async () => {
  const handler = await createStaff(server, 'reopen');
  const chats = [];
  for (let n = 0; n < 2; n += 1) {
    const chat = await createChat(server, 'reopen');
    const { socket } = await watchAs(chat.visitor, chat.conversationId);
    await sendOver(socket, chat.conversationId, `waiting ${n}`);
    socket.close();
    chats.push(chat.conversationId);
  }
  const [first = '', second = ''] = chats;
  await server.app.db.pool.query(
    "update conversations set waiting_since = '2026-11-15 09:41Z' where id = $1",
    [first],
  );
  await handler.call('PUT', `/conversations/${first}/unread`, { unread: true });
  const before = (await handler.call('GET', '/queue')).body.rows;
  expect(before.map((row: ClosedRow) => row.conversationId)).toEqual([second, first]);
  expect(before[1]).toMatchObject({ markedUnread: true, unread: 1 });

  const setStatus = (status: string, from?: string) =>
    handler.call('PUT', `/conversations/${first}/status`, { status, from });
  await setStatus('closed');
  const { rows } = await closed(handler);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    conversationId: first,
    status: 'closed',
    lastMessage: 'waiting 0',
    waitingSince: Date.UTC(2026, 10, 15, 9, 41),
    // Closing removes the mark.
    markedUnread: false,
  });
  await setStatus('blocked');
  expect((await closed(handler)).rows[0]).toMatchObject({ conversationId: first, status: 'blocked' });
  await setStatus('open', 'blocked');
  expect((await closed(handler)).rows).toEqual([]);
  const after = (await handler.call('GET', '/queue')).body.rows;
  expect(after.map((row: ClosedRow) => row.conversationId)).toEqual([second, first]);
  expect(after[1]).toEqual({ ...before[1], markedUnread: false, rev: after[1].rev });
});

test('a mark as unread shows at every console of the desk, at every gateway, and never to the visitor', async () => {
  const other = await server.startAnother();
  const handler = await createStaff(server, 'marks');
  const { visitor, conversationId } = await createChat(server, 'marks');
  const there = await watchAs(visitor, conversationId);
  await sendOver(there.socket, conversationId, 'hello');
  const consoles = [await handler.live(), await handler.live(other.url)];
  for (const each of consoles) {
    each.send({ type: 'watchQueue' });
    await each.next('queue');
    each.send({ type: 'watch', conversationId });
    await each.next('watched');
  }
  const [desk] = consoles;
  if (desk === undefined) throw new Error('no console');
  desk.send({ type: 'seen', conversationId, seq: 1 });
  await there.socket.next('conversation', ({ conversation }) => conversation.ownerSeen === 1);
  for (const each of consoles) await each.next('queueChange', ({ rows }) => rows[0]?.unread === 0);
  const view = () => visitor.call('GET', `/conversations/${conversationId}`).then((reply) => reply.body);
  const seenByVisitor = await view();
  // When a later message has arrived, nothing from before the mark is still in flight.
  await sendOver(there.socket, conversationId, 'a later one');
  desk.send({ type: 'seen', conversationId, seq: 2 });
  await there.socket.next('conversation', ({ conversation }) => conversation.ownerSeen === 2);
  const beforeMark = await view();
  expect(beforeMark.conversation.rev).toBeGreaterThan(seenByVisitor.conversation.rev);
  there.socket.received.length = 0;

  const mark = (unread: boolean) =>
    handler.call('PUT', `/conversations/${conversationId}/unread`, { unread });
  const shown = (markedUnread: boolean) =>
    Promise.all(
      consoles.map((each) =>
        each.next(
          'queueChange',
          ({ rows }) => rows[0]?.markedUnread === markedUnread && rows[0].unread === 0 && rows[0].head === 2,
        ),
      ),
    );
  // Frames from before the mark also say 'not marked'.
  const forget = (): void => {
    for (const each of consoles) each.received.length = 0;
  };
  expect((await mark(true)).body).toEqual({ success: true });
  await shown(true);
  forget();
  await mark(false);
  await shown(false);
  forget();
  await mark(true);
  await shown(true);
  forget();
  // Nothing new was seen, but the mark is removed.
  desk.send({ type: 'seen', conversationId, seq: 2 });
  await shown(false);
  expect(await view()).toEqual(beforeMark);
  // A busy machine may announce presence late.
  expect(there.socket.received.filter(({ type }) => type !== 'presence')).toEqual([]);

  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
  expect((await mark(true)).body.code).toBe('conversation_closed');
  expect((await mark(false)).status).toBe(200);
  for (const each of [...consoles, there.socket]) each.close();
});
