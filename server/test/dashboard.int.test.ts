import type { DashboardPeriod } from '@settee/protocol/dashboard';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDashboard } from '../src/db/dashboard.ts';
import { foldFigures } from '../src/db/figures.ts';
import { figuresByHand, figuresOf } from './dashboardByHand.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { liveThrough, travelInTime } from './livedHistory.ts';

const DAY_MS = 86_400_000;
/** A Thursday: New York moved its clocks back eleven days before, Berlin eighteen, in the month that is compared. */
const NOW = Date.UTC(2026, 10, 12, 17, 23, 45);
const ZONES = ['Asia/Kathmandu', 'America/New_York', 'Europe/Berlin'];
const PERIODS: DashboardPeriod[] = ['today', '7days', '30days'];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const goTo = await travelInTime(server);
  await liveThrough(server, { from: NOW - 63 * DAY_MS, until: NOW, steps: 1_200, seed: 20261115 }, goTo);
}, 300_000);
afterAll(() => server.close());

/** By hand it takes a while, and nothing happens any more. */
const byHandOnce = new Map<string, Awaited<ReturnType<typeof figuresByHand>>>();

async function expectFiguresByHand(moment: string): Promise<void> {
  const { db } = server.app;
  for (const zone of ZONES) {
    for (const period of PERIODS) {
      const answer = await readDashboard(db, { period, zone, now: NOW });
      const known = byHandOnce.get(zone + period);
      const byHand = known ?? (await figuresByHand(db.pool, { period, zone, now: new Date(NOW) }));
      byHandOnce.set(zone + period, byHand);
      expect(figuresOf(answer), `${moment}, ${period} in ${zone}`).toEqual(byHand);
    }
  }
}

test('[OPEN-185] every figure is what SQL written by hand counts, in three time zones, before and after folding', async () => {
  const { pool } = server.app.db;
  // A history in which something is told: else all would be zero, and right.
  const { rows } = await pool.query(`select (select count(*)::int from messages) as messages,
    (select count(*)::int from conversations) as conversations,
    (select count(*)::int from conversations where first_replied_at is not null) as replied,
    (select count(*)::int from figures_fresh) as fresh`);
  expect(rows[0].messages).toBeGreaterThan(500);
  expect(rows[0].conversations).toBeGreaterThan(100);
  expect(rows[0].replied).toBeGreaterThan(30);
  expect(rows[0].fresh).toBeGreaterThan(500);

  await expectFiguresByHand('nothing folded');
  await pool.query('select fold_figures(200)');
  await expectFiguresByHand('some folded');
  expect(await foldFigures(server.app.db, 100)).toBe(rows[0].fresh - 200);
  await expectFiguresByHand('all folded');
  expect(await foldFigures(server.app.db)).toBe(0);
  await expectFiguresByHand('folded again');
});
