import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { BATCH_MAX, otlpTraces, QUEUE_MAX } from '../src/adapters/otlpTraces.ts';
import { createLog } from '../src/log/log.ts';
import { LiveClient } from './client.ts';
import { Collector, type ExportedSpan } from './collector.ts';
import { createTestDatabase } from './database.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff, type Person, sendOver, watchAs } from './people.ts';
import { soon } from './soon.ts';

const ALIAS = 'traced-desk';
const TEXT = 'canary words that no trace may hold';
const HELD_MS = 1_234;
const quiet = createLog('fatal');

const collector = new Collector();
let url: string;
let server: TestServer;
/** The handler's gateway. */
let elsewhere: string;

beforeAll(async () => {
  url = await collector.start();
  const traces = () => otlpTraces({ url, share: 1 }, quiet);
  // A sweep could deliver a message before its hint does.
  server = await startTestServer({ traces: traces(), config: { sweepSeconds: 3_600 } });
  elsewhere = (await server.startAnother({ traces: traces() })).url;
});

afterAll(async () => {
  await server.close();
  await collector.stop();
});

function traceOf(id: string): ExportedSpan[] {
  return collector.spans.filter(({ traceId }) => traceId === id.replaceAll('-', ''));
}

async function spansOf(id: string, count: number): Promise<Map<string, ExportedSpan>> {
  await vi.waitFor(() => expect(traceOf(id)).toHaveLength(count), soon);
  return new Map(traceOf(id).map((span) => [span.name, span]));
}

async function welcomeOf({ url: at, app }: TestServer, { browser }: Person) {
  const socket = new LiveClient(at, app.config.publicUrl);
  await socket.opened();
  socket.send({ type: 'hello', version: PROTOCOL_VERSION, token: browser.token });
  return await socket.next('welcome').finally(() => socket.close());
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
  // Wall-clock time; a process's own clock may differ slightly.
  expect(send.start).toBeGreaterThan(before - 50);
  expect(send.end).toBeLessThan(after + 50);
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

test('a local delivery, an HTTP call and a refusal are traces too', async () => {
  const { visitor, conversationId } = await createChat(server, ALIAS);
  const handler = await createStaff(server, ALIAS);
  const { socket: reading } = await watchAs(visitor, conversationId);
  const { socket: writing } = await watchAs(handler, conversationId);
  const answer = randomUUID();
  await sendOver(writing, conversationId, 'welcome', answer);
  const deliveredHere = (await spansOf(answer, 6)).get('gateway.deliver');
  expect(deliveredHere?.attributes).toEqual({ 'settee.sockets': 1, 'settee.heard': 'here' });

  const called = randomUUID();
  const reply = await visitor.call('POST', `/conversations/${conversationId}/messages`, {
    id: called,
    text: 'by a call',
  });
  expect(reply.status).toBe(200);
  // Both watchers receive it: the caller has no socket that would get an ack instead.
  expect((await spansOf(called, 6)).get('gateway.deliver')?.attributes['settee.sockets']).toBe(2);

  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'blocked', reason: 'spam' });
  const refused = randomUUID();
  reading.send({ type: 'send', conversationId, id: refused, text: 'too late' });
  const { code } = await reading.next('refused', (frame) => frame.id === refused);
  expect((await spansOf(refused, 5)).get('message')?.attributes['settee.outcome']).toBe(code);
});

test('a page learns that the gateway traces, and an invalid time costs no message', async () => {
  const { visitor, conversationId } = await createChat(server, ALIAS);
  const { socket } = await watchAs(visitor, conversationId);
  expect(await welcomeOf(server, visitor)).toMatchObject({ type: 'welcome', traced: true });
  const ids: string[] = [];
  for (const held of ['-1', '1e300', 'null', '"long"']) {
    const id = randomUUID();
    ids.push(id);
    const frame = JSON.stringify({ type: 'send', conversationId, id, text: held });
    socket.sendRaw(frame.replace('}', `,"held":${held}}`));
    await socket.next('ack', (ack) => ack.id === id);
  }
  for (const id of ids) expect([...(await spansOf(id, 5)).keys()]).not.toContain('browser.outbox');
});

test('only the id decides the sample', () => {
  const at = (share: number) => otlpTraces({ url, share }, quiet);
  const ids = Array.from({ length: 4_000 }, () => randomUUID());
  const [one, other] = [at(0.25), at(0.25)];
  const followed = ids.filter((id) => one.isSampled(id));
  expect(followed.length / ids.length).toBeGreaterThan(0.2);
  expect(followed.length / ids.length).toBeLessThan(0.3);
  expect(ids.filter((id) => other.isSampled(id))).toEqual(followed);
  const [none, all] = [at(0), at(1)];
  expect(ids.some((id) => none.isSampled(id))).toBe(false);
  expect(ids.every((id) => all.isSampled(id))).toBe(true);
});

test('a collector that hangs or is down costs no message, no unlimited memory and no slow stop', async () => {
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
    for (let n = 0; n < 20; n += 1) await sendOver(socket, conversationId, `${n}`);
    socket.close();
  }
  const times = { start: Date.now(), end: Date.now() };
  for (let n = 0; n < 5 * QUEUE_MAX; n += 1)
    traces.record(randomUUID(), { name: 'gateway.deliver', ...times });
  await vi.waitFor(() => expect(hanging.requests).toBeGreaterThan(0), soon);
  const began = Date.now();
  await Promise.all([first.stop(), second.stop()]);
  // Waiting for the four batches of a full queue would take 24 s.
  expect(Date.now() - began).toBeLessThan(20_000);
  // Only spans in flight and in the queue remain; everything else was dropped.
  expect(hanging.spans.length).toBeLessThanOrEqual(QUEUE_MAX + BATCH_MAX);
  await hanging.stop();
});

/** Prints each OpenTelemetry SDK module that the process loads. */
const WATCH_MODULES = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (/@opentelemetry.(sdk-trace|exporter-trace)/.test(url)) console.log('loaded ' + url);
      return next(url, context);
    },
  });`)}`;

async function startProcess(env: Record<string, string>): Promise<string> {
  const database = await createTestDatabase();
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', WATCH_MODULES, main], {
    env: {
      DATABASE_URL: database.url,
      NATS_URL: inject('engines').NATS_URL ?? '',
      SECRET: 'a secret for tests, long enough to pass',
      PORT: '0',
      RUN_JOBS: 'false',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data: Buffer) => {
    output += String(data);
  });
  try {
    await vi.waitFor(() => expect(output).toContain('listening'), { timeout: 60_000, interval: 50 });
  } finally {
    // Right after the start, when the gateway may still be reading from the database.
    child.kill('SIGTERM');
    const [code] = await once(child, 'close');
    await database.drop();
    expect(code).toBe(0);
  }
  return output;
}

test('without TRACES_URL nothing of the SDK is loaded, and no page is asked for anything', async () => {
  expect(await startProcess({})).not.toContain('loaded');
  expect(await startProcess({ TRACES_URL: url })).toContain('loaded');
  const plain = await startTestServer();
  try {
    expect(await welcomeOf(plain, await createStaff(plain, ALIAS))).not.toHaveProperty('traced');
  } finally {
    await plain.close();
  }
});
