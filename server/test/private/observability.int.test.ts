import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { BATCH_MAX, otlpTraces, QUEUE_MAX } from '../../src/platform/adapters/otlpTraces.ts';
import { createLog } from '../../src/platform/log/log.ts';
import { readBacklog } from '../../src/private/backlog.store.ts';
import { prometheusMetrics } from '../../src/private/prometheus.adapter.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { createChat, createStaff, sendOver, watchAs } from '../support/people.ts';
import { soon } from '../support/soon.ts';

type ExportedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** Milliseconds since the epoch. */
  start: number;
  end: number;
  attributes: Record<string, string | number>;
  /** The process that sent it. */
  instance: string;
};

/** Receives traces like an OpenTelemetry collector: OTLP over HTTP, in JSON. It can also hang. */
class Collector {
  readonly spans: ExportedSpan[] = [];
  requests = 0;
  hangs = false;
  readonly #held: ServerResponse[] = [];
  readonly #server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      this.requests += 1;
      this.#take(JSON.parse(Buffer.concat(parts).toString()) as Export);
      if (this.hangs) this.#held.push(response);
      else response.setHeader('content-type', 'application/json').end('{}');
    });
  });

  async start(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1/traces`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #take({ resourceSpans }: Export): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const instance = String(valuesOf(resource.attributes)['service.instance.id']);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) {
        const { startTimeUnixNano, endTimeUnixNano, attributes, ...rest } = span;
        const [start, end] = [Number(startTimeUnixNano) / 1e6, Number(endTimeUnixNano) / 1e6];
        this.spans.push({ ...rest, start, end, attributes: valuesOf(attributes), instance });
      }
    }
  }
}

type Attribute = { key: string; value: { stringValue?: string; intValue?: number } };
type Export = {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: {
      spans: {
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        name: string;
        startTimeUnixNano: string;
        endTimeUnixNano: string;
        attributes: Attribute[];
      }[];
    }[];
  }[];
};

function valuesOf(attributes: Attribute[]): Record<string, string | number> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}

const ALIAS = 'traced-desk';
const TEXT = 'canary words that no trace may hold';
const HELD_MS = 1_234;
const quiet = createLog('fatal');
const metrics = prometheusMetrics();
const collector = new Collector();
let url: string;
let server: TestServer;
/** The handler's gateway in the tests of traces. */
let elsewhere: string;
beforeAll(async () => {
  url = await collector.start();
  // A sweep could deliver a message before its hint does.
  server = await startTestServer({
    metrics,
    traces: otlpTraces({ url, share: 1 }, quiet),
    config: { sweepSeconds: 3_600 },
  });
  elsewhere = (await server.startAnother({ traces: otlpTraces({ url, share: 1 }, quiet) })).url;
});
afterAll(async () => {
  await server.close();
  await collector.stop();
});

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
  await sendOver(socket, conversationId, 'hello');
  await console.next('message');
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

function traceOf(id: string): ExportedSpan[] {
  return collector.spans.filter(({ traceId }) => traceId === id.replaceAll('-', ''));
}

async function spansOf(id: string, count: number): Promise<Map<string, ExportedSpan>> {
  await vi.waitFor(() => expect(traceOf(id)).toHaveLength(count), soon);
  return new Map(traceOf(id).map((span) => [span.name, span]));
}

test('a message is one trace, from the page that kept it to the socket at another gateway', async () => {
  const { visitor, conversationId } = await createChat(server, ALIAS);
  const handler = await createStaff(server, ALIAS);
  const writing = (await watchAs(visitor, conversationId)).socket;
  const reading = (await watchAs(handler, conversationId, elsewhere)).socket;
  const id = randomUUID();
  const before = Date.now();
  writing.send({ type: 'send', conversationId, id, text: TEXT, held: HELD_MS });
  await writing.next('ack', (ack) => ack.id === id);
  await reading.next('message', ({ message }) => message.id === id);
  const after = Date.now();

  const spans = await spansOf(id, 7);
  const span = (name: string): ExportedSpan => {
    const found = spans.get(name);
    if (found === undefined) throw new Error(`no span ${name}`);
    return found;
  };
  const root = span('message');
  expect(root.parentSpanId).toBeUndefined();
  const parentOf = (name: string) =>
    traceOf(id).find((each) => each.spanId === span(name).parentSpanId)?.name;
  expect(parentOf('browser.outbox')).toBe('message');
  expect(parentOf('gateway.send')).toBe('message');
  expect(parentOf('gateway.deliver')).toBe('message');
  expect(parentOf('gateway.wait for batch')).toBe('gateway.send');
  expect(parentOf('postgres.append')).toBe('gateway.send');
  expect(parentOf('gateway.ack')).toBe('gateway.send');

  const [kept, send, wait, append, ack] = [
    span('browser.outbox'),
    span('gateway.send'),
    span('gateway.wait for batch'),
    span('postgres.append'),
    span('gateway.ack'),
  ];
  expect(kept.end - kept.start).toBeCloseTo(HELD_MS, 0);
  expect(kept.start).toBe(root.start);
  expect(send.start).toBe(kept.end);
  expect(wait.start).toBe(send.start);
  expect(append.start).toBe(wait.end);
  expect(ack.start).toBe(append.end);
  expect(ack.end).toBe(send.end);
  expect(send.end).toBe(root.end);
  // Wall-clock time; a process's own clock may differ.
  expect(send.start).toBeGreaterThan(before - 60_000);
  expect(send.end).toBeLessThan(after + 60_000);
  expect(append.end - append.start).toBeGreaterThan(0);

  // At the handler's gateway, which received a hint.
  expect(span('gateway.deliver').instance).not.toBe(root.instance);
  expect(span('gateway.deliver').start).toBeGreaterThan(append.start);
  expect(root.attributes).toEqual({ 'settee.side': 'visitor', 'settee.outcome': 'stored' });
  expect(append.attributes).toEqual({ 'settee.batch_size': 1 });
  expect(span('gateway.deliver').attributes).toEqual({ 'settee.sockets': 1, 'settee.heard': 'bus' });

  const exported = JSON.stringify(traceOf(id));
  for (const secret of [TEXT, conversationId, ALIAS, visitor.browser.token])
    expect(exported).not.toContain(secret);
});

test('a collector that hangs or is down costs no message and no unlimited memory', async () => {
  const hanging = new Collector();
  hanging.hangs = true;
  const traces = otlpTraces({ url: await hanging.start(), share: 1 }, quiet);
  const away = otlpTraces({ url: 'http://127.0.0.1:9/v1/traces', share: 1 }, quiet);
  const [first, second] = [
    await server.startAnother({ traces }),
    await server.startAnother({ traces: away }),
  ];
  for (const gateway of [first, second]) {
    const { visitor, conversationId } = await createChat(server, ALIAS);
    const { socket } = await watchAs(visitor, conversationId, gateway.url);
    for (let n = 0; n < 5; n += 1) await sendOver(socket, conversationId, `${n}`);
    socket.close();
  }
  const times = { start: Date.now(), end: Date.now() };
  for (let n = 0; n < 5 * QUEUE_MAX; n += 1)
    traces.record(randomUUID(), { name: 'gateway.deliver', ...times });
  await vi.waitFor(() => expect(hanging.requests).toBeGreaterThan(0), soon);
  await Promise.all([first.stop(), second.stop()]);
  // Only spans in flight and in the queue remain; everything else was dropped.
  expect(hanging.spans.length).toBeLessThanOrEqual(QUEUE_MAX + BATCH_MAX);
  await hanging.stop();
});
