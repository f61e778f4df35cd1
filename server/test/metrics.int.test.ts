import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { prometheusMetrics } from '../src/adapters/prometheus.ts';
import { systemClock } from '../src/adapters/system.ts';
import { readBacklog } from '../src/db/engine/backlog.ts';
import { tasks } from '../src/jobs/tasks.ts';
import { createLog } from '../src/log/log.ts';
import { closedReasons, taskNames } from '../src/metrics/metrics.ts';
import { deafBus } from './deafBus.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff, sendOver, watchAs } from './people.ts';
import { soon } from './soon.ts';
import { testMedia } from './testMedia.ts';

const metrics = prometheusMetrics();
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ metrics });
});
afterAll(() => server.close());

/** Every line with a number, by name and labels. */
async function read(of = metrics): Promise<Map<string, number>> {
  const text = await of.text(await readBacklog(server.app.db));
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

test('messages are counted and timed', async () => {
  const handler = await createStaff(server, 'counted');
  const { visitor, conversationId } = await createChat(server, 'counted');
  const { socket: console } = await watchAs(handler, conversationId);
  const { socket } = await watchAs(visitor, conversationId);
  const sentAt = performance.now();
  await sendOver(socket, conversationId, 'hello');
  await console.next('message');
  const tookSeconds = (performance.now() - sentAt) / 1_000;
  socket.send({ type: 'send', conversationId: randomUUID(), id: randomUUID(), text: 'nowhere' });
  await socket.next('refused');
  const now = await read();
  const expected = {
    'settee_sockets{kind="visitor"}': 1,
    'settee_sockets{kind="handler"}': 1,
    'settee_sockets{kind="admin"}': 0,
    'settee_send_seconds_count{outcome="acknowledged"}': 1,
    'settee_send_seconds_count{outcome="refused"}': 1,
    'settee_send_seconds_count{outcome="unknown"}': 0,
    'settee_send_seconds_bucket{le="+Inf",outcome="acknowledged"}': 1,
    settee_append_seconds_count: 1,
    'settee_append_batch_size_bucket{le="1"}': 1,
    settee_receipt_seconds_count: 1,
    settee_appends_unconfirmed_total: 0,
    settee_bus_connected: 1,
    settee_conversations_waiting: 1,
    'settee_sweep_found_total{what="message"}': 0,
  };
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, now.get(name)]))).toEqual(expected);
  expect(now.get('settee_receipt_seconds_sum')).toBeLessThan(tookSeconds + 5);
  expect(now.get('settee_hints_total{direction="out"}')).toBeGreaterThan(0);
  expect(now.get('settee_database_connections{state="idle"}')).toBeGreaterThan(0);
  expect(now.get('settee_http_seconds_count{call="claimInvite",status="200"}')).toBeGreaterThan(0);
  expect([...now.keys()].some((name) => name.startsWith('settee_build_info{version="'))).toBe(true);
  socket.close();
  console.close();
  await vi.waitFor(
    async () => expect((await read()).get('settee_sockets_closed_total{reason="left"}')).toBe(2),
    soon,
  );
  expect((await read()).get('settee_sockets{kind="visitor"}')).toBe(0);
});

test('a message without a hint is counted as found, with its delay', async () => {
  const own = prometheusMetrics();
  const bus = deafBus();
  bus.deaf = true;
  const deaf = await server.startAnother({
    metrics: own,
    throughBus: bus.through,
    config: { sweepSeconds: 3 },
  });
  const handler = await createStaff(server, 'unheard');
  const { visitor, conversationId } = await createChat(server, 'unheard');
  const { socket: console } = await watchAs(handler, conversationId, deaf.url);
  const { socket } = await watchAs(visitor, conversationId);
  // Repeats until one message is older than a second when the sweep runs.
  await vi.waitFor(
    async () => {
      await sendOver(socket, conversationId, 'unheard');
      await console.next('message');
      expect((await read(own)).get('settee_sweep_found_total{what="message"}')).toBeGreaterThan(0);
    },
    { timeout: 60_000, interval: 300 },
  );
  expect((await read(own)).get('settee_receipt_seconds_sum')).toBeGreaterThan(1);
  socket.close();
  console.close();
});

test('a note without a hint is counted as found, and a live one is not', async () => {
  const own = prometheusMetrics();
  const bus = deafBus();
  const other = await server.startAnother({
    metrics: own,
    throughBus: bus.through,
    config: { sweepSeconds: 2 },
  });
  const found = async () => (await read(own)).get('settee_sweep_found_total{what="note"}');
  const handler = await createStaff(server, 'noted');
  const { conversationId } = await createChat(server, 'noted');
  const { socket: console } = await watchAs(handler, conversationId, other.url);
  const add = async (): Promise<string> => {
    const id = randomUUID();
    await handler.call('POST', `/conversations/${conversationId}/notes`, { id, text: 'For us alone' });
    return id;
  };
  const received = await add();
  const notes = () => console.received.filter((frame) => frame.type === 'note' && frame.note.id === received);
  // Once live, and once by the sweep that counts added notes.
  await vi.waitFor(() => expect(notes()).toHaveLength(2), soon);
  expect(await found()).toBe(0);

  bus.deaf = true;
  // Repeats until one note is older than a second when the sweep runs.
  await vi.waitFor(
    async () => {
      await add();
      expect(await found()).toBeGreaterThan(0);
    },
    { timeout: 60_000, interval: 300 },
  );
  console.close();
});

test('the waiting numbers equal the database: visitors, jobs by task, and events of webhooks', async () => {
  const { pool } = server.app.db;
  await createStaff(server, 'waits');
  const { visitor, conversationId } = await createChat(server, 'waits');
  const { socket } = await watchAs(visitor, conversationId);
  const before = await readBacklog(server.app.db);
  await sendOver(socket, conversationId, 'anyone?');
  await pool.query("update conversations set waiting_since = now() - interval '10 minutes' where id = $1", [
    conversationId,
  ]);
  await pool.query("select graphile_worker.add_job('purgeExpired', run_at => now() - interval '1 minute')");
  await pool.query("select graphile_worker.add_job('purgeExpired', run_at => now() + interval '1 hour')");
  await pool.query("select graphile_worker.add_job('somebody-elses', run_at => now())");
  for (const [state, minutes] of [
    ['active', 7],
    ['active', -7],
    ['paused', 60],
  ])
    await pool.query(
      `with w as (
         insert into webhook_endpoints (url, events, with_text, state, secret)
         values ('https://hooks.example.org/', '{}', false, $1, '') returning id
       )
       insert into webhook_deliveries (endpoint_id, type, at, invite_id, due_at)
       select id, 'invite.opened', now(), gen_random_uuid(), now() - make_interval(mins => $2) from w`,
      [state, minutes],
    );
  const now = await read();
  expect(now.get('settee_conversations_waiting')).toBe(before.conversations + 1);
  expect(now.get('settee_longest_wait_seconds')).toBeGreaterThanOrEqual(600);
  expect(now.get('settee_jobs_waiting{task="purgeExpired"}')).toBe(1);
  expect(now.get('settee_job_lag_seconds{task="purgeExpired"}')).toBeGreaterThanOrEqual(60);
  expect(now.get('settee_jobs_waiting{task="push"}')).toBe(0);
  expect(now.get('settee_webhook_lag_seconds')).toBeGreaterThanOrEqual(420);
  expect(now.get('settee_webhook_lag_seconds')).toBeLessThan(3_600);
  expect([...now.keys()].join()).not.toContain('somebody-elses');
  // No value is better than an outdated one.
  const without = await metrics.text(undefined);
  expect(without).not.toMatch(/^settee_(?:conversations_waiting|longest_wait_seconds|jobs_waiting)[ {]/m);
  socket.close();
});

test('every task name is in the list of counted tasks', () => {
  const log = createLog('silent');
  const push = { publicKey: '', accepts: () => true, send: async () => 'sent' as const };
  const all = tasks({
    db: server.app.db,
    secret: server.app.config.secret,
    secondFactor: 'optional',
    media: testMedia(),
    push,
    mail: {
      sender: { send: async () => ({ outcome: 'sent' }), verify: async () => {} },
      config: server.app.config,
    },
    clock: systemClock,
    log,
  });
  expect(Object.keys(all).toSorted()).toEqual(taskNames.toSorted());
  expect(new Set(closedReasons).size).toBe(closedReasons.length);
});
