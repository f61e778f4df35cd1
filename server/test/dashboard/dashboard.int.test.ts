import type { Dashboard, DashboardPeriod } from '@settee/protocol/model/dashboard';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSize } from '../../../tools/fullSize.ts';
import { readDashboard } from '../../src/dashboard/dashboard.store.ts';
import { OPEN } from '../../src/dashboard/dashboardDesks.store.ts';
import { periodTimes } from '../../src/dashboard/dashboardPeriod.ts';
import { foldFigures, periodQuery } from '../../src/dashboard/figures.store.ts';
import { figuresByHand, figuresOf } from '../support/dashboardByHand.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { createAdministrator, createChat, createStaff, sendOver, watchAs } from '../support/people.ts';
import { liveThrough, travelInTime } from './livedHistory.ts';

const DAY_MS = 86_400_000;
/** A Thursday. New York moved its clocks back eleven days earlier, Berlin eighteen, in the month that is compared. */
const NOW = Date.UTC(2026, 10, 12, 17, 23, 45);
const ZONES = fullSize(
  ['Asia/Kathmandu', 'Europe/Berlin'],
  ['Asia/Kathmandu', 'America/New_York', 'Europe/Berlin'],
);
const PERIODS: DashboardPeriod[] = ['today', '7days', '30days'];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  const goTo = await travelInTime(server);
  await liveThrough(
    server,
    { from: NOW - 63 * DAY_MS, until: NOW, steps: fullSize(500, 1_200), seed: 20261115 },
    goTo,
  );
});
afterAll(() => server.close());

/** Counting by hand is slow, and the data no longer changes. */
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

test('[DASH-04] every figure equals hand-written SQL, in every time zone, before and after folding', async () => {
  const { pool } = server.app.db;
  // A history with events: otherwise all figures would be zero, and correct.
  const { rows } = await pool.query(`select (select count(*)::int from messages) as messages,
    (select count(*)::int from conversations) as conversations,
    (select count(*)::int from conversations where first_replied_at is not null) as replied,
    (select count(*)::int from figures_fresh) as fresh`);
  expect(rows[0].messages).toBeGreaterThan(200);
  expect(rows[0].conversations).toBeGreaterThan(25);
  expect(rows[0].replied).toBeGreaterThan(12);
  expect(rows[0].fresh).toBeGreaterThan(200);

  await expectFiguresByHand('nothing folded');
  await pool.query('select fold_figures(200)');
  await expectFiguresByHand('some folded');
  expect(await foldFigures(server.app.db, 100)).toBe(rows[0].fresh - 200);
  await expectFiguresByHand('all folded');
  expect(await foldFigures(server.app.db)).toBe(0);
  await expectFiguresByHand('folded again');
});

test('[DASH-04] figures are for administrators, and follow each message', async () => {
  const own = await startTestServer();
  try {
    const admin = await createAdministrator(own);
    const staff = await createStaff(own, 'mara-east');
    const { visitor, conversationId } = await createChat(own, 'mara-east');
    const { socket } = await watchAs(visitor, conversationId);
    await sendOver(socket, conversationId, 'Is the Berlin date still on?');

    // A zone where it is about noon, so that the day does not end during the test.
    const hoursToNoon = 12 - new Date().getUTCHours();
    const zone = `Etc/GMT${hoursToNoon < 0 ? '%2B' : '-'}${Math.abs(hoursToNoon)}`;
    const path = `/manage/dashboard?period=today&zone=${zone}`;
    const { status, body } = await admin.call('GET', path);
    expect(status).toBe(200);
    const { dashboard } = body as { dashboard: Dashboard };
    expect(dashboard.messages).toEqual({ visitors: 1, replies: 0, before: 0 });
    expect(dashboard.waiting).toMatchObject({ count: 1, classes: [1, 0, 0, 0, 0] });
    expect(dashboard.waiting.rows).toMatchObject([
      { conversationId, lastMessage: 'Is the Berlin date still on?', alias: 'mara-east' },
    ]);
    expect(dashboard.invites).toEqual({ created: 1, opened: 1, started: 1, replied: 0 });
    expect(dashboard.handlers).toMatchObject([
      { alias: 'mara-east', people: ['Handler'], online: false, open: 1 },
    ]);

    const { socket: console } = await watchAs(staff, conversationId);
    await sendOver(console, conversationId, 'It is.');
    const after = (await admin.call('GET', path)).body.dashboard as Dashboard;
    expect(after.messages).toMatchObject({ visitors: 1, replies: 1 });
    expect(after.waiting).toMatchObject({ count: 0, longestSince: null, rows: [] });
    expect(after.invites.replied).toBe(1);
    expect(after.firstReply.medianMs).toBeGreaterThanOrEqual(0);

    for (const other of [staff, visitor]) expect((await other.call('GET', path)).status).not.toBe(200);
  } finally {
    await own.close();
  }
});

test('the dashboard reads no message, however many there are', async () => {
  const tables = new Set<string>();
  const queries = [
    periodQuery(periodTimes('30days', 'Europe/Berlin', NOW)),
    { text: OPEN, values: [new Date(NOW)] },
  ];
  for (const { text, values } of queries) {
    const { rows } = await server.app.db.pool.query(`explain (format json) ${text}`, values);
    for (const [, table = ''] of JSON.stringify(rows).matchAll(/"Relation Name":"(\w+)"/g)) tables.add(table);
  }
  expect([...tables].toSorted()).toEqual(['conversations', 'figures', 'figures_fresh']);
});
