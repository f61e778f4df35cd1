import type { Week } from '@settee/protocol/model/hours';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../src/adapters/system.ts';
import { updateUsualReply } from '../src/db/profile/usualReply.ts';
import type { Gateway } from '../src/gateway.ts';
import { deafBus } from './deafBus.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createAdministrator, createChat, createStaff, type Person, sendOver, watchAs } from './people.ts';

const MINUTE_MS = 60_000;
const DESK = 'zq-hours-desk';

let ahead = 0;
const clock = { ...systemClock, now: () => systemClock.now() + ahead };
let server: TestServer;
let other: Gateway;
let admin: Person;
let handler: Person;
const bus = deafBus();
beforeAll(async () => {
  server = await startTestServer({ clock, config: { sweepSeconds: 1 } });
  other = await server.startAnother({ clock, throughBus: bus.through });
  admin = await createAdministrator(server);
  handler = await createStaff(server, DESK);
});
afterAll(() => server.close());

const save = (body: object) => admin.call('PUT', '/manage/profile', body);
const setHours = (alias: string, hours: unknown) =>
  admin.call('PUT', `/manage/desks/${alias}/hours`, { hours });
const shown = async () => (await server.request('GET', '/brand')).body.brand;

function everyDay(from: number, to: number): { timeZone: string; week: Week } {
  return { timeZone: 'UTC', week: Array.from({ length: 7 }, () => [{ from, to }]) };
}
const minuteOfDay = (at = clock.now()) => Math.floor((at % 86_400_000) / MINUTE_MS);

test('greeting, farewell and away message are stored, cleaned, limited, audited and shown', async () => {
  const words = {
    greeting: ' Hello!\u202e\r\n\nAsk me anything. ',
    farewell: 'Goodbye.',
    awayMessage: 'Back\nsoon.',
  };
  const clean = { greeting: 'Hello!\n\nAsk me anything.', farewell: 'Goodbye.', awayMessage: 'Back soon.' };
  const { visitor } = await createChat(server, DESK);
  const socket = await visitor.live(other.url);
  expect((await save(words)).body.brand).toMatchObject(clean);
  expect(await shown()).toMatchObject(clean);
  expect((await socket.next('brand', ({ brand }) => brand.greeting !== null)).brand).toMatchObject(clean);
  const { rows } = await server.app.db.pool.query(
    `select details from audit where action = 'brand.set' order by id desc limit 1`,
  );
  expect(rows).toEqual([{ details: clean }]);
  for (const [field, max] of [
    ['greeting', 500],
    ['farewell', 300],
    ['awayMessage', 200],
  ] as const) {
    expect((await save({ [field]: 'x'.repeat(max) })).status).toBe(200);
    const refused = await save({ [field]: 'x'.repeat(max + 1) });
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining(`at most ${max}`)]);
    expect((await save({ [field]: '' })).body.brand[field]).toBeNull();
  }
  socket.close();
});

test('a greeting is not a message: nothing is stored, counted or unread', async () => {
  await save({ greeting: 'Hello!' });
  const { visitor, conversationId } = await createChat(server, DESK);
  const { watched, socket } = await watchAs(visitor, conversationId);
  expect(watched.messages).toEqual([]);
  expect(watched.conversation.head).toBe(0);
  const { rows } = await server.app.db.pool.query('select count(*)::integer as count from messages');
  expect(rows).toEqual([{ count: 0 }]);
  await save({ greeting: '' });
  socket.close();
});

test('the usual reply time comes from counted replies and reaches open pages, with the same picture', async () => {
  const { visitor } = await createChat(server, DESK);
  const socket = await visitor.live(other.url);
  await updateUsualReply(server.app.db, clock.now());
  const before = await shown();
  expect(before.usualReplyMinutes).toBeNull();
  await server.app.db.pool.query(
    `insert into figures_fresh (quarter, waits)
     select date_bin('15 minutes', now(), 'epoch'), wait_entry(interval '7 minutes', 1) from generate_series(1, 20)`,
  );
  await updateUsualReply(server.app.db, clock.now());
  expect(await shown()).toEqual({ ...before, usualReplyMinutes: 10 });
  await socket.next('brand', ({ brand }) => brand.usualReplyMinutes === 10);
  socket.close();
});

test('[PROFILE-06] outside the hours of its desk, and only there, a visitor gets the next opening', async () => {
  await createStaff(server, 'zq-always-desk');
  const ours = await createChat(server, DESK);
  const theirs = await createChat(server, 'zq-always-desk');
  const views = [
    await watchAs(ours.visitor, ours.conversationId),
    await watchAs(ours.visitor, ours.conversationId, other.url),
  ];
  const untouched = await watchAs(theirs.visitor, theirs.conversationId);
  for (const { watched } of views) expect(watched.conversation).toMatchObject({ away: null });

  // The desk is away from now on. One gateway gets the hint, the other loses it.
  const from = (minuteOfDay() + 120) % 1_380;
  bus.deaf = true;
  expect((await setHours(DESK, everyDay(from, from + 1))).status).toBe(200);
  for (const { socket } of views) {
    const { conversation } = await socket.next(
      'conversation',
      ({ conversation: now }) => 'away' in now && now.away !== null,
    );
    if (!('away' in conversation)) throw new Error('not the visitor’s view');
    expect(conversation.away).toEqual({ message: '', until: expect.any(Number) });
    expect(((conversation.away?.until ?? 0) / MINUTE_MS) % 1_440).toBe(from);
    expect(conversation.away?.until).toBeGreaterThan(clock.now());
  }
  bus.deaf = false;
  await save({ awayMessage: 'Gone fishing.' });
  for (const { socket } of views)
    await socket.next(
      'conversation',
      ({ conversation }) => 'away' in conversation && conversation.away?.message === 'Gone fishing.',
    );
  // No message is sent, and the visitor can still write.
  await sendOver(views[0]?.socket ?? untouched.socket, ours.conversationId, 'anyone?');
  expect(
    (await ours.visitor.call('GET', `/conversations/${ours.conversationId}/messages`)).body.messages,
  ).toHaveLength(1);
  const read = (await ours.visitor.call('GET', `/conversations/${ours.conversationId}`)).body;
  expect(read.conversation.away.message).toBe('Gone fishing.');
  expect(
    (await handler.call('GET', `/conversations/${ours.conversationId}`)).body.conversation,
  ).not.toHaveProperty('away');
  expect(JSON.stringify(views.map(({ socket }) => socket.received)) + JSON.stringify(read)).not.toMatch(
    /zq-|timeZone|week/,
  );
  expect(untouched.socket.received.filter(({ type }) => type === 'conversation')).toEqual([]);

  expect((await setHours(DESK, null)).body.hours).toBeNull();
  for (const { socket } of views)
    await socket.next(
      'conversation',
      ({ conversation }) => 'away' in conversation && conversation.away === null,
    );
  for (const { socket } of [...views, untouched]) socket.close();
});

test('[PROFILE-06] open pages update automatically when the hours end and start', async () => {
  const { visitor, conversationId } = await createChat(server, DESK);
  // A time zone where it is about noon, so that midnight is far away.
  const begun = clock.now();
  const hoursToNoon = 12 - new Date(begun).getUTCHours();
  const timeZone = `Etc/GMT${hoursToNoon < 0 ? '+' : '-'}${Math.abs(hoursToNoon)}`;
  const now = (minuteOfDay(begun) % 60) + 720;
  // Open for the rest of this minute and one more, then closed for five minutes.
  const open = Array.from({ length: 7 }, () => [
    { from: 0, to: now + 2 },
    { from: now + 7, to: 1_440 },
  ]);
  expect((await setHours(DESK, { timeZone, week: open })).status).toBe(200);
  const { watched, socket } = await watchAs(visitor, conversationId);
  expect(watched.conversation).toMatchObject({ away: null });
  ahead += 3 * MINUTE_MS;
  await socket.next(
    'conversation',
    ({ conversation }) => 'away' in conversation && conversation.away !== null,
  );
  ahead += 5 * MINUTE_MS;
  await socket.next(
    'conversation',
    ({ conversation }) => 'away' in conversation && conversation.away === null,
  );
  await setHours(DESK, null);
  socket.close();
});

test('[PROFILE-05] only administrators set hours, for existing desks, and invalid ones are refused', async () => {
  const week = everyDay(540, 1_020);
  for (const hours of [
    { ...week, timeZone: 'Mars/Base' },
    { ...week, week: week.week.slice(1) },
    everyDay(-1, 20),
    everyDay(20, 1_441),
    {
      ...week,
      week: [
        ...week.week.slice(1),
        [
          { from: 600, to: 700 },
          { from: 650, to: 800 },
        ],
      ],
    },
    { ...week, week: [...week.week.slice(1), [{ from: 600, to: 600 }]] },
  ]) {
    expect((await setHours(DESK, hours)).status).toBe(400);
  }
  expect((await setHours('nobody-here', week)).status).toBe(404);
  expect((await handler.call('PUT', `/manage/desks/${DESK}/hours`, { hours: week })).status).toBe(403);
  expect((await setHours(DESK, week)).status).toBe(200);
  const { desks } = (await admin.call('GET', '/manage/desks/hours')).body;
  expect(desks.find(({ alias }: { alias: string }) => alias === DESK).hours).toEqual(week);
  const { rows } = await server.app.db.pool.query(
    `select target, details from audit where action = 'hours.set' order by id desc limit 1`,
  );
  expect(rows).toEqual([
    { target: DESK, details: { timeZone: 'UTC', hours: expect.stringContaining('Mon 09:00-17:00, Tue') } },
  ]);
  await setHours(DESK, null);
});
