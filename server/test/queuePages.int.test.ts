import { randomUUID } from 'node:crypto';
import type { QueueRow } from '@settee/protocol/model/conversation';
import { countQueue, QUEUE_PAGE, type QueueShow, queueKey } from '@settee/protocol/model/queue';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LiveClient } from './client.ts';
import { fakeClock } from './fakeClock.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createStaff, type Person } from './people.ts';
import { writeConversations } from './writtenConversations.ts';

const MANY = 5_000;
const ALIAS = 'busy-desk';
/** A row takes about 334 bytes. */
const BYTES_AT_MOST = 500 * QUEUE_PAGE;
const MINUTE = 60_000;

let server: TestServer;
let handler: Person;
let ids: string[];
beforeAll(async () => {
  server = await startTestServer();
  handler = await createStaff(server, ALIAS);
  ids = await fillDesk(server, ALIAS, { conversations: MANY, unit: '1 hour' });
});
afterAll(() => server.close());

/** Newest first, a minute apart. Every third is unread, every second waits, every tenth is snoozed. */
async function fillDesk(
  at: TestServer,
  alias: string,
  { conversations, unit }: { conversations: number; unit: '1 hour' | '1 minute' },
): Promise<string[]> {
  const made = await writeConversations(at, { alias, conversations, messages: 1 });
  await at.app.db.pool.query(
    `update conversations c set last_message_at = now() - n * interval '1 minute', preview_from_owner = n % 2 = 0,
       unread = case when n % 3 = 0 then 1 else 0 end,
       waiting_since = case when n % 2 = 1 then now() - (n * 7919 % $2 + 0.5) * $3::interval end,
       snoozed_until = case when n % 10 = 0 then now() + (n * 7919 % $2 + 0.5) * $3::interval end,
       snoozed_seq = case when n % 10 = 0 then 1 end, preview = repeat('x', (n % 100)::int)
     from unnest($1::uuid[]) with ordinality as made (id, n) where c.id = made.id`,
    [made, conversations, unit],
  );
  return made;
}

async function openQueue(person: Person, { paged }: { paged?: true } = {}) {
  const socket = await person.live();
  socket.send({ type: 'watchQueue', ...(paged && { paged }) });
  return { socket, queue: await socket.next('queue') };
}

async function readWhole(person: Person): Promise<QueueRow[]> {
  return (await person.call('GET', '/queue')).body.rows;
}

const bytesOf = (answer: unknown) => JSON.stringify(answer).length;
const idsOf = (rows: readonly QueueRow[]) => rows.map(({ conversationId }) => conversationId);

/** Reads a list to its end, and calls `between` after every page. */
async function walk(
  socket: LiveClient,
  show: QueueShow,
  { from, between = async () => {} }: { from?: QueueRow; between?: () => Promise<void> } = {},
): Promise<QueueRow[]> {
  const found: QueueRow[] = [];
  let after = from && queueKey(show, from);
  for (let more = true; more; ) {
    socket.send({ type: 'queuePage', show, ...(after && { after }) });
    await between();
    // Not `next`: the changes around the page keep their order.
    const page = await socket.next('queuePage');
    expect(bytesOf(page)).toBeLessThan(BYTES_AT_MOST);
    expect(page.rows.length).toBeLessThanOrEqual(QUEUE_PAGE);
    found.push(...page.rows);
    const last = page.rows.at(-1);
    after = last && queueKey(show, last);
    more = page.more;
  }
  return found;
}

test(`[QUEUE-29] the first answer of a queue of ${MANY} has a page, over both ways, with the counts of all`, async () => {
  const { socket, queue } = await openQueue(handler, { paged: true });
  const { body } = await handler.call('GET', `/queue?limit=${QUEUE_PAGE}`);
  const all = await readWhole(handler);
  expect(all).toHaveLength(MANY);
  for (const { rows, counts } of [queue, body]) {
    expect(rows).toEqual(all.slice(0, QUEUE_PAGE));
    expect(counts).toEqual(countQueue(all, Date.now(), defaultSettings));
    expect(bytesOf({ rows, counts })).toBeLessThan(BYTES_AT_MOST);
  }
  for (const show of ['all', 'unread', 'waiting', 'snoozed'] as const) {
    const rows = await walk(socket, show);
    const expected = all.filter((row) => queueKey(show, row) !== null);
    expect(new Set(idsOf(rows))).toEqual(new Set(idsOf(expected)));
    expect(rows).toHaveLength(expected.length);
    const times = rows.map((row) => queueKey(show, row)?.at ?? 0);
    expect(times).toEqual(times.toSorted((a, b) => (show === 'all' || show === 'unread' ? b - a : a - b)));
  }
  socket.close();
});

test('[QUEUE-29] a console of the previous release gets the whole queue', async () => {
  const { socket, queue } = await openQueue(handler);
  expect(queue).toEqual({ type: 'queue', rows: await readWhole(handler) });
  socket.close();
});

test('[QUEUE-29] while conversations move between pages, each is found exactly once', async () => {
  const { socket, queue } = await openQueue(handler, { paged: true });
  const known = new Map(queue.rows.map((row) => [row.conversationId, row]));
  const status = (id: string | undefined, to: string) =>
    handler.call('PUT', `/conversations/${id}/status`, { status: to });
  const send = (id: string | undefined) =>
    handler.call('POST', `/conversations/${id}/messages`, { id: randomUUID(), text: 'moved up' });
  let turn = 0;
  // Some are on pages that were read, others are not.
  const move = async (): Promise<void> => {
    turn += 1;
    const [early, late] = [ids[turn * 11], ids[MANY - turn * 13]];
    const closed = ids[MANY - turn * 17 - 5];
    await Promise.all([send(early), send(late), status(closed, 'closed'), status(ids[turn * 29], 'closed')]);
    if (turn % 3 === 0) await status(closed, 'open');
  };
  const paged = await walk(socket, 'all', { from: queue.rows.at(-1) as QueueRow, between: move });
  expect(turn).toBe(MANY / QUEUE_PAGE - 1);
  // No row is on two pages: rows only move up, to where was read already.
  const onPages = [...idsOf(queue.rows), ...idsOf(paged)];
  expect(new Set(onPages).size).toBe(onPages.length);

  for (const row of paged) known.set(row.conversationId, row);
  const all = await readWhole(handler);
  await expect
    .poll(() => {
      for (const frame of socket.received) {
        if (frame.type !== 'queueChange') continue;
        for (const row of frame.rows) known.set(row.conversationId, row);
        for (const id of frame.gone) known.delete(id);
      }
      return new Set(known.keys());
    })
    .toEqual(new Set(idsOf(all)));
  const last = socket.received.findLast((frame) => frame.type === 'queueChange');
  expect(last?.counts?.open).toBe(all.length);
  socket.close();
});

test('[QUEUE-29] a console gets the row of the chat that it opens, also after a reconnect', async () => {
  const far = ids[MANY - 1] as string;
  const { socket } = await openQueue(handler, { paged: true });
  socket.send({ type: 'watch', conversationId: far });
  await socket.next('queueChange', ({ rows }) => rows[0]?.conversationId === far);
  socket.close();

  const again = await handler.live();
  again.send({ type: 'watch', conversationId: far });
  again.send({ type: 'watchQueue', paged: true });
  await again.next('queueChange', ({ rows }) => rows[0]?.conversationId === far);
  again.close();
});

test('the counts follow the time and the thresholds', async () => {
  const clock = fakeClock(Date.now());
  const other = await startTestServer({ clock });
  const person = await createStaff(other, 'counted');
  await fillDesk(other, 'counted', { conversations: 2 * QUEUE_PAGE, unit: '1 minute' });
  const { socket, queue } = await openQueue(person, { paged: true });
  const rows = await readWhole(person);
  const counts = (minutes: number, waitingMinutes = 5) =>
    countQueue(rows, clock.now() + minutes * MINUTE, { waitingMinutes });
  expect(queue.counts).toEqual(counts(0));
  expect(counts(20)).not.toEqual(counts(0));

  const later = counts(20);
  clock.advance(20 * MINUTE);
  expect((await socket.next('queueChange')).counts).toMatchObject({ ...later, longest: expect.anything() });
  await other.app.db.pool.query('update brand set waiting_minutes = 60, waiting_long_minutes = 90');
  other.app.announce.brandChanged();
  const { waiting } = counts(0, 60);
  await socket.next('queueChange', (change) => change.counts?.waiting === waiting);
  socket.close();
  await other.close();
});
