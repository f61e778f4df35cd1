import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { FreshDatabase } from '../../tools/freshDatabase.ts';
import { type Database, openDatabase } from '../src/db/engine/database.ts';
import { holdLease } from '../src/db/engine/gatewayLease.ts';
import { readinessCheck } from '../src/private/readiness.ts';
import { type BreakableLine, breakableLine } from './breakableLine.ts';
import { createTestDatabase } from './database.ts';
import { fakeClock } from './fakeClock.ts';

let database: FreshDatabase;
let line: BreakableLine;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  line = await breakableLine(database.url);
  db = openDatabase(line.url, 2);
});
afterEach(async () => {
  line.resume();
  await db.close();
  await line.close();
  await database.drop();
});

const SERVING = { starting: false, stopping: false };

/** A busy machine may need longer than the two seconds that the database has. */
const slowly = (check: ReturnType<typeof readinessCheck>) => expect.poll(check);

test('[OPS-17] an ended lease is a reason, a lost NATS connection is only reported', async () => {
  const ready = (more: object) => slowly(readinessCheck(db, () => ({ ...SERVING, ...more })));
  await ready({ holdsLease: true, busConnected: false }).toEqual({
    ready: true,
    reasons: [],
    bus: 'away',
    warnings: ['no worker'],
  });
  await ready({ holdsLease: false }).toMatchObject({ ready: false, reasons: ['lease'] });
  // A gateway serves without jobs.
  await ready({ holdsLease: true, jobsRunning: false }).toEqual({
    ready: true,
    reasons: [],
    jobs: 'stopped',
    warnings: ['no worker'],
  });
});

test('[OPS-17] a worker whose runners stopped is not ready', async () => {
  const standing = () => ({ ...SERVING, needsJobs: true, jobsRunning: false });
  await slowly(readinessCheck(db, standing)).toMatchObject({ ready: false, reasons: ['jobs'] });
});

test('[OPS-17] a lease that cannot be renewed lasts as long as PostgreSQL says, and returns once it can be', async () => {
  const clock = fakeClock();
  const options = { gatewayId: randomUUID(), alone: true, clock, onLost: () => {} };
  const lease = await holdLease(db, options);
  clock.advance(14_000);
  expect(lease.isHeld()).toBe(true);
  line.cut();
  await vi.waitFor(
    () => {
      clock.advance(1_000);
      expect(lease.isHeld()).toBe(false);
    },
    { timeout: 60_000 },
  );
  line.resume();
  await vi.waitFor(
    () => {
      clock.advance(1_000);
      expect(lease.isHeld()).toBe(true);
    },
    { timeout: 60_000, interval: 200 },
  );
  await lease.end();
});
