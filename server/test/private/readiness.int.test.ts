import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { openDatabase } from '../../src/platform/db/database.ts';
import { holdLease } from '../../src/platform/db/gatewayLease.ts';
import { readinessCheck } from '../../src/private/readiness.ts';
import { type BreakableLine, breakableLine } from '../support/breakableLine.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { type ProductProcess, startProduct } from '../support/productProcess.ts';
import { soon } from '../support/soon.ts';

let database: TestDatabase;
let line: BreakableLine;
/** A gateway as shipped, with no worker beside it. */
let gateway: ProductProcess;
beforeAll(async () => {
  database = await createTestDatabase();
  line = await breakableLine(database.url);
  gateway = await startProduct('gateway', {
    DATABASE_URL: line.url,
    NATS_URL: inject('engines').NATS_URL ?? '',
    RUN_JOBS: 'false',
    WEB_ROOT: '/nonexistent',
    // Longer than this test, which kills it.
    STOP_DELAY_SECONDS: '300',
  });
  await gateway.waitFor('listening');
});
afterAll(async () => {
  gateway.signal('SIGKILL');
  await gateway.ended;
  await line.close();
});

async function readyOf(product: ProductProcess) {
  const { status, body } = await product.ask('/readyz');
  return { status, ...JSON.parse(body) };
}

/** Waits for this answer: a check that takes longer than its two seconds names the database. */
async function expectReadiness(product: ProductProcess, expected: object): Promise<void> {
  await vi.waitFor(async () => expect(await readyOf(product)).toMatchObject(expected), soon);
}

test('[OPS-17] a gateway is alive while it answers, and ready while its database does', async () => {
  expect(await gateway.ask('/healthz')).toMatchObject({ status: 200, body: '{"alive":true}\n' });
  // No worker runs here. That is a warning, but the gateway still gets traffic.
  const warnings = ['no worker'];
  const expected = { status: 200, ready: true, reasons: [], bus: 'connected', warnings };
  await vi.waitFor(async () => expect(await readyOf(gateway)).toEqual(expected), soon);

  line.pause();
  expect(await readyOf(gateway)).toMatchObject({ status: 503, ready: false, reasons: ['database'] });
  // A scrape does not hang either: the metrics of the process itself are served.
  const { status, body } = await gateway.ask('/metrics');
  expect([status, /^settee_bus_connected 1$/m.test(body)]).toEqual([200, true]);
  expect(body).not.toMatch(/^settee_conversations_waiting /m);
  expect((await gateway.ask('/healthz')).status).toBe(200);
  line.resume();
  await expectReadiness(gateway, { status: 200 });
});

test('[OPS-20] the public port does not serve the private paths', async () => {
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
});

test('[OPS-11] asked to stop, a gateway reports it at once, and serves on', async () => {
  line.pause();
  gateway.signal('SIGTERM');
  await expectReadiness(gateway, { status: 503, reasons: ['stopping'] });
  line.resume();
  // Late requests are still answered.
  expect((await fetch(`${gateway.urlOf('listening')}/brand`)).status).toBe(200);
});

test('[OPS-17] migrations of the next release are fine, a missing one of ours is not', async () => {
  const client = new pg.Client(database.ownerUrl);
  await client.connect();
  const db = openDatabase(database.url, 1);
  const check = readinessCheck(db, () => ({ starting: false, stopping: false }));
  const changes: [statement: string, reasons: string[]][] = [
    ["insert into migrations (name, run_on) values ('29990101000000_next', now())", []],
    ["update applied_functions set hash = 'another' where name = 'append_messages'", ['migrations']],
    ["delete from migrations where name like '%_tables'", ['migrations']],
    ['alter table migrations rename to elsewhere', ['migrations']],
  ];
  for (const [statement, reasons] of changes) {
    await client.query(statement);
    await expect.poll(check).toMatchObject({ ready: reasons.length === 0, reasons });
  }
  await client.end();
  await db.close();
});

test('[OPS-17] a worker is ready while its runners run, and does not start without the tables', async () => {
  const migrated = await createTestDatabase();
  const worker = await startProduct('worker', { DATABASE_URL: migrated.url, DATABASE_CONNECTIONS: '1' });
  await worker.waitFor('working');
  const expected = { status: 200, ready: true, reasons: [], jobs: 'running' };
  await vi.waitFor(async () => expect(await readyOf(worker)).toEqual(expected), soon);
  expect(await worker.stop()).toEqual([0, null]);
  // The application role cannot create the job queue.
  const empty = await createTestDatabase({ empty: true });
  const refused = await startProduct('worker', { DATABASE_URL: empty.url });
  await refused.ended;
  expect(refused.output()).toContain('Run settee migrate with DATABASE_OWNER_URL');
});

test('[OPS-17] an ended lease and stopped runners are reasons; a lost NATS connection is only reported', async () => {
  const healthy = await createTestDatabase();
  const db = openDatabase(healthy.url, 2);
  const states: [state: object, answer: object][] = [
    [
      { holdsLease: true, busConnected: false },
      { ready: true, reasons: [], bus: 'away' },
    ],
    [{ holdsLease: false }, { ready: false, reasons: ['lease'] }],
    // A gateway serves without jobs, a worker is there for them.
    [
      { holdsLease: true, jobsRunning: false },
      { ready: true, reasons: [], jobs: 'stopped' },
    ],
    [
      { needsJobs: true, jobsRunning: false },
      { ready: false, reasons: ['jobs'] },
    ],
    // It waits for its first connection to NATS.
    [{ starting: true }, { ready: false, reasons: ['starting'] }],
  ];
  for (const [state, answer] of states) {
    const check = readinessCheck(db, () => ({ starting: false, stopping: false, ...state }));
    await expect.poll(check).toMatchObject(answer);
  }
  await db.close();
});

test('[OPS-17] a lease that cannot be renewed lasts as long as PostgreSQL says, and returns once it can be', async () => {
  const leased = await createTestDatabase();
  const cable = await breakableLine(leased.url);
  const db = openDatabase(cable.url, 2);
  const clock = fakeClock();
  const lease = await holdLease(db, { gatewayId: randomUUID(), alone: true, clock, onLost: () => {} });
  const isHeldAfterASecond = () => {
    clock.advance(1_000);
    return lease.isHeld();
  };
  clock.advance(14_000);
  expect(lease.isHeld()).toBe(true);
  cable.cut();
  await expect.poll(isHeldAfterASecond).toBe(false);
  cable.resume();
  await expect.poll(isHeldAfterASecond).toBe(true);
  await lease.end();
  await db.close();
  await cable.close();
});
