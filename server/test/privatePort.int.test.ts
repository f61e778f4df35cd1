import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { createFreshDatabase, type FreshDatabase } from '../../tools/freshDatabase.ts';
import { type BreakableLine, breakableLine } from './breakableLine.ts';
import { createTestDatabase } from './database.ts';
import { type ProductProcess, startProduct } from './productProcess.ts';

const SLOW = { timeout: 60_000, interval: 100 };
/** For what only succeeds now and then. */
const PATIENT = { timeout: 150_000, interval: 100 };
/** Long enough for the requests that come after the signal, also on a busy machine. */
const STOP_DELAY_SECONDS = 10;

let database: FreshDatabase;
let line: BreakableLine;
let running: ProductProcess[];
beforeEach(async () => {
  database = await createTestDatabase();
  line = await breakableLine(database.url);
  running = [];
});
afterEach(async () => {
  line.resume();
  await Promise.all(running.map((each) => each.stop()));
  await line.close();
  await database.drop();
});

async function start(
  program: 'gateway' | 'worker',
  env: Record<string, string> = {},
): Promise<ProductProcess> {
  const product = await startProduct(program, { DATABASE_URL: line.url, RUN_JOBS: 'false', ...env });
  running.push(product);
  return product;
}

async function readyOf(
  product: ProductProcess,
): Promise<{ status: number; ready: boolean; reasons: string[] }> {
  const { status, body } = await product.ask('/readyz');
  return { status, ...JSON.parse(body) };
}

/** Waits for this answer: a check on a busy machine may take longer than its two seconds, and then names the database. */
async function expectReadiness(product: ProductProcess, expected: object): Promise<void> {
  await vi.waitFor(async () => expect(await readyOf(product)).toMatchObject(expected), SLOW);
}

test('[OPS-17] a gateway is alive while it answers, and ready while its database does', async () => {
  const gateway = await start('gateway', { NATS_URL: inject('engines').NATS_URL ?? '' });
  await gateway.waitFor('listening');
  expect(await gateway.ask('/healthz')).toMatchObject({ status: 200, body: '{"alive":true}\n' });
  // No worker runs here. That is a warning, but the gateway still gets traffic.
  const warnings = ['no worker'];
  const expected = { status: 200, ready: true, reasons: [], bus: 'connected', warnings };
  await vi.waitFor(async () => expect(await readyOf(gateway)).toEqual(expected), SLOW);

  line.pause();
  const asked = performance.now();
  expect(await readyOf(gateway)).toMatchObject({ status: 503, ready: false, reasons: ['database'] });
  // It has two seconds; the rest is for a slow machine. A query itself would wait for fifteen.
  expect(performance.now() - asked).toBeLessThan(12_000);
  // A scrape does not hang either: the metrics of the process itself are served.
  const scraped = performance.now();
  const { status, body } = await gateway.ask('/metrics');
  expect(performance.now() - scraped).toBeLessThan(12_000);
  expect([status, /^settee_bus_connected 1$/m.test(body)]).toEqual([200, true]);
  expect(body).not.toMatch(/^settee_conversations_waiting /m);
  expect((await gateway.ask('/healthz')).status).toBe(200);
  line.resume();
  await expectReadiness(gateway, { status: 200 });

  // Migrations of the next release are fine, a missing one of ours is not.
  const client = new pg.Client(database.ownerUrl);
  await client.connect();
  await client.query("insert into migrations (name, run_on) values ('29990101000000_next', now())");
  await expectReadiness(gateway, { ready: true });
  await client.query("update applied_functions set hash = 'another' where name = 'append_messages'");
  await expectReadiness(gateway, { status: 503, reasons: ['migrations'] });
  await client.query("delete from migrations where name like '%_tables'");
  await expectReadiness(gateway, { status: 503, reasons: ['migrations'] });
  await client.query('alter table migrations rename to elsewhere');
  await expectReadiness(gateway, { status: 503, reasons: ['migrations'] });
  await client.end();
});

test('[OPS-17] a slow read of the waiting counts delays no readiness check', async () => {
  const gateway = await start('gateway');
  await gateway.waitFor('listening');
  const [client, watching] = [new pg.Client(database.url), new pg.Client(database.url)];
  await Promise.all([client.connect(), watching.connect()]);
  await client.query('begin; lock table conversations, graphile_worker._private_jobs');
  const waits =
    "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%waiting_since%'";
  const looks = async (): Promise<boolean> => (await watching.query(waits)).rowCount !== 0;
  // It checks for 1.5 s every ten seconds. On a busy machine one check may fail, but not every one.
  await vi.waitFor(async () => {
    void gateway.ask('/metrics').catch(() => {});
    await vi.waitFor(async () => expect(await looks()).toBe(true), { timeout: 1_000, interval: 50 });
    expect(await readyOf(gateway)).toMatchObject({ status: 200, ready: true });
    expect(await looks()).toBe(true);
  }, PATIENT);
  await Promise.all([client.end(), watching.end()]);
});

test('[OPS-11] asked to stop, a gateway reports it at once, and serves for the configured time', async () => {
  const gateway = await start('gateway', { STOP_DELAY_SECONDS: String(STOP_DELAY_SECONDS) });
  await gateway.waitFor('listening');
  await expectReadiness(gateway, { ready: true });
  line.pause();
  gateway.signal('SIGTERM');
  const stoppedAt = performance.now();
  await expectReadiness(gateway, { status: 503, reasons: ['stopping'] });
  line.resume();
  // Late requests are still answered.
  expect((await fetch(`${gateway.urlOf('listening')}/brand`)).status).toBe(200);
  expect(await gateway.stop()).toEqual([0, null]);
  expect(performance.now() - stoppedAt).toBeGreaterThan(STOP_DELAY_SECONDS * 1_000 - 100);
});

test('[OPS-17] a worker is ready while its runners run', async () => {
  const worker = await start('worker', { DATABASE_CONNECTIONS: '1' });
  await worker.waitFor('working');
  const expected = { status: 200, ready: true, reasons: [], jobs: 'running' };
  await vi.waitFor(async () => expect(await readyOf(worker)).toEqual(expected), SLOW);
  worker.signal('SIGTERM');
  expect(await worker.stop()).toEqual([0, null]);
});

test('[OPS-17] while it waits for NATS it is alive, and not ready', async () => {
  // Nothing listens there, so the gateway waits for its first connection.
  const gateway = await start('gateway', { NATS_URL: 'nats://127.0.0.1:1' });
  expect((await gateway.ask('/healthz')).status).toBe(200);
  await expectReadiness(gateway, { status: 503, reasons: ['starting'] });
});

test('[OPS-20] the public port does not serve the private paths, and without PRIVATE_PORT nothing does', async () => {
  const gateway = await start('gateway', { WEB_ROOT: '/nonexistent' });
  await gateway.waitFor('listening');
  const at = gateway.urlOf('listening');
  const unknown = await fetch(`${at}/no-such-page`).then((response) => response.text());
  for (const path of [
    '/healthz',
    '/readyz',
    '/metrics',
    '/metrics/',
    '/%6detrics',
    '//metrics',
    '/metrics?x',
  ]) {
    const response = await fetch(at + path);
    expect([path, response.status, await response.text()]).toEqual([path, 404, unknown]);
  }
  expect((await gateway.ask('/')).status).toBe(404);
  expect((await gateway.ask('/readyz', { method: 'POST' })).status).toBe(404);
  await gateway.stop();
  const silent = await start('gateway', { PRIVATE_PORT: '' });
  await silent.waitFor('listening');
  expect(silent.events()).not.toContain('private port');
});

test('with an unmigrated database no worker is ready', async () => {
  const empty = await createFreshDatabase(inject('engines').DATABASE_URL, { prefix: 'empty' });
  const worker = await start('worker', { DATABASE_URL: empty.ownerUrl });
  await worker.waitFor('working');
  await expectReadiness(worker, { status: 503, reasons: ['migrations'] });
  await worker.stop();
  // The application role cannot create the job queue.
  const refused = await start('worker', { DATABASE_URL: empty.url });
  await refused.ended;
  expect(refused.output()).toContain('Run settee migrate with DATABASE_OWNER_URL');
  await empty.drop();
});
