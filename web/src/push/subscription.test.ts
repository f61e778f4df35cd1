import { expect, test } from 'vitest';
import { fakePush } from '../../test/fakePush.ts';
import { startPush } from './startPush.ts';

const visitor = { side: 'visitor', id: 'v1' } as const;
const handler = { side: 'staff', id: 's1' } as const;

async function enabled(person: typeof visitor | typeof handler = visitor) {
  const stage = fakePush(person);
  await stage.push.refresh();
  await stage.push.enable();
  expect(stage.push.get()).toMatchObject({ status: 'on', problem: null, busy: null });
  return stage;
}

test.each<[string, Partial<ReturnType<typeof fakePush>['world']>, Parameters<typeof fakePush>[0]]>([
  ['Notifications need a secure address. Open this page over https.', { secure: false }, visitor],
  ['Notifications not supported in this browser', { notifies: false }, visitor],
  ['Notifications not supported in this browser', { pushes: false }, handler],
  [
    'Notifications not available on iOS Safari. Use Chrome or add to home screen.',
    // A tab on iOS has none of these.
    { iosTab: true, notifies: false, pushes: false },
    visitor,
  ],
  ['Visitor ID is required', {}, { side: 'visitor', id: null }],
  ['Handler alias is required', {}, { side: 'staff', id: null }],
  ['Notification permission denied', { answersPermission: 'denied' }, visitor],
  ['Notification permission denied', { answersPermission: 'default' }, visitor],
  ['Failed to get FCM token', { gives: false }, visitor],
  ['Failed to enable notifications', { refuses: { readPushKey: { status: 0 } } }, visitor],
  ['Failed to enable notifications', { refuses: { savePush: { status: 503 } } }, handler],
  [
    'Visitor ID is required',
    { refuses: { savePush: { status: 403, code: 'access_denied', text: 'Visitor ID is required' } } },
    visitor,
  ],
])('[E-07] [N-05] %s (%o)', async (text, different, person) => {
  const { push, world } = fakePush(person);
  Object.assign(world, different);
  await push.look();
  await push.enable();
  expect(push.get()).toMatchObject({ problem: text, busy: null });
  expect(push.get().status).not.toBe('on');
  // Neither the browser nor the server keeps a subscription that the other does not know.
  expect([world.stored, world.subscription]).toEqual([null, null]);
});

test('[L-07] a push service that is silent for 10 s has failed; so has a server', async () => {
  const { push, world, clock } = fakePush();
  await push.refresh();
  world.gives = undefined;
  const enabling = push.enable();
  await clock.pass(9_999);
  expect(push.get().busy).toBe('enabling');
  await clock.pass(1);
  await enabling;
  expect(push.get()).toMatchObject({ busy: null, problem: 'Failed to get FCM token' });

  world.gives = true;
  world.silent.add('savePush');
  const again = push.enable();
  await clock.pass(10_000);
  await again;
  expect(push.get()).toMatchObject({ status: 'off', problem: 'Failed to enable notifications' });
  // It may have been saved nevertheless.
  expect(world.asked.at(-1)?.name).toBe('dropPush');

  const unkeyed = fakePush();
  unkeyed.world.silent.add('readPushKey');
  const withoutKey = unkeyed.push.enable();
  await unkeyed.clock.pass(10_000);
  await withoutKey;
  expect(unkeyed.push.get()).toMatchObject({ busy: null, problem: 'Failed to enable notifications' });

  const tested = await enabled();
  tested.world.silent.add('testPush');
  const testing = tested.push.test();
  await tested.clock.pass(10_000);
  await testing;
  expect(tested.push.get()).toMatchObject({
    busy: null,
    problem: 'The test notification couldn’t be sent.',
  });
});

test.each(['this tab', 'another tab'])(
  '[N-04] a disabled token stays disabled while %s refreshes it',
  async (where) => {
    const { push, world, other, calls } = await enabled();
    const keeper = where === 'this tab' ? push : other(visitor);
    const dropped = Promise.withResolvers<void>();
    world.slow.dropPush = dropped.promise;
    const disabling = push.disable();
    const looking = keeper.look();
    // A save now would leave a subscription on the server that the browser does not know.
    await new Promise((resolve) => setImmediate(resolve));
    expect(calls('savePush')).toHaveLength(1);
    dropped.resolve();
    await Promise.all([disabling, looking]);
    expect([push.get().status, keeper.get().status]).toEqual(['off', 'off']);
    expect([world.subscription, world.stored]).toEqual([null, null]);
    expect(world.asked.findLast(({ name }) => name !== 'readPushKey')?.name).toBe('dropPush');
  },
);

test('[PUSH-14] signing out during a refresh leaves nothing behind', async () => {
  const { push, world, other } = await enabled(handler);
  const saved = Promise.withResolvers<void>();
  world.slow.savePush = saved.promise;
  const keeping = other(handler).look();
  await new Promise((resolve) => setImmediate(resolve));
  await push.leave();
  saved.resolve();
  await keeping;
  expect([world.subscription, world.stored]).toEqual([null, null]);
  expect(world.asked.at(-1)?.name).toBe('dropPush');
});

test('[N-07] only a final refusal by our server turns notifications off', async () => {
  const { push, world } = await enabled();
  for (const refusal of [{ status: 404 }, { status: 403 }, { status: 401, code: 'unauthenticated' }]) {
    world.refuses.savePush = refusal;
    await push.look();
    expect(push.get().status).toBe('on');
  }
  world.refuses.savePush = { status: 403, code: 'access_denied' };
  await push.look();
  expect(push.get().status).toBe('off');
  expect([world.subscription, world.stored]).toEqual([null, null]);
});

test('[E-07] a browser that cannot store anything has notifications off, also at the server', async () => {
  const { push, world } = fakePush();
  world.keeps = false;
  await push.enable();
  expect(push.get()).toMatchObject({ status: 'off', problem: 'Failed to enable notifications' });
  expect(world.asked.at(-1)).toEqual({ name: 'dropPush', body: { endpoint: 'https://push.example/1' } });
  expect(world.subscription).toBeNull();
});

test('[L-07] a renewal that the server missed is reported at the next start', async () => {
  const { push, world, calls } = await enabled();
  world.subscription = null;
  world.refuses.savePush = { status: 0 };
  await push.refresh();
  world.refuses = {};
  await push.refresh();
  expect(calls('savePush').at(-1)).toMatchObject({ instead: 'https://push.example/1' });
  expect(world.stored?.endpoint).toBe('https://push.example/2');
});

test('[N-07] a changed installation key leads to a new subscription, a removed key to none', async () => {
  const stage = await enabled();
  stage.world.key = 'key-2';
  // A page reads the key once.
  const nextStart = stage.other(visitor);
  await nextStart.refresh();
  expect(stage.world.subscription?.key).toBe('key-2');
  expect(stage.calls('savePush').at(-1)).toMatchObject({ instead: 'https://push.example/1' });

  stage.world.key = null;
  const later = stage.other(visitor);
  await later.refresh();
  expect(later.get().status).toBe('off');
  expect([stage.world.stored, stage.world.subscription]).toEqual([null, null]);
});

test('[N-02] a withdrawn permission is reported to the server, and the panel shows blocked', async () => {
  const { push, world, calls } = await enabled();
  world.permission = 'denied';
  await push.look();
  expect(push.get().status).toBe('blocked');
  expect(calls('dropPush')).toHaveLength(1);
  expect(world.stored).toBeNull();
});

test('without a key notices of the open page are all there is, and pushes replace them', async () => {
  const { push, world } = fakePush();
  Object.assign(world, { key: null, pushes: false });
  await push.look();
  expect(push.get()).toMatchObject({ status: 'off', offers: 'notices' });
  await push.enable();
  expect(push.get()).toMatchObject({ status: 'inTab', problem: null });
  await push.disable();
  expect(push.get().status).toBe('off');

  const other = fakePush();
  other.world.notices = true;
  await other.push.enable();
  expect(other.push.get().status).toBe('on');
  expect(other.world.notices).toBe(false);
});

test('[PUSH-14] a browser notifies one person: the last who enabled it', async () => {
  const stage = await enabled();
  const desk = stage.other(handler);
  await desk.refresh();
  expect(desk.get().status).toBe('off');
  await desk.enable();
  expect(desk.get().status).toBe('on');
  await stage.push.refresh();
  expect(stage.push.get().status).toBe('off');
  // The same address, which the server moves: only one person is notified.
  expect(stage.calls('savePush').map((body) => body?.endpoint)).toEqual([
    'https://push.example/1',
    'https://push.example/1',
  ]);
});

test('[PUSH-14] signing out ends notifications without delay; the next person’s are off', async () => {
  const { push, world, clock, calls, other } = await enabled(handler);
  world.silent.add('dropPush');
  const leaving = push.leave();
  await clock.pass(2_000);
  await leaving;
  expect(calls('dropPush')).toHaveLength(1);
  expect([world.stored, world.subscription]).toEqual([null, null]);
  const next = other({ side: 'staff', id: 's2' });
  await next.refresh();
  expect(next.get().status).toBe('off');
});

const HOUR = 3_600_000;

function open(stage: ReturnType<typeof fakePush>) {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' as DocumentVisibilityState });
  return { page, stop: startPush(stage.push, stage.clock, page as unknown as Document) };
}

test('[N-07] [L-07] a page that stays open for weeks refreshes the token', async () => {
  const stage = fakePush();
  stage.world.expiresAt = 5 * HOUR;
  await stage.push.enable();
  const { stop } = open(stage);
  await stage.clock.pass(3.9 * HOUR);
  expect(stage.world.subscribed).toBe(1);
  stage.world.expiresAt = null;
  await stage.clock.pass(HOUR);
  expect(stage.calls('savePush').at(-1)).toMatchObject({ instead: 'https://push.example/1' });
  await stage.clock.pass(6 * 24 * HOUR);
  expect(stage.calls('savePush')).toHaveLength(2);
  await stage.clock.pass(24 * HOUR);
  expect(stage.calls('savePush')).toHaveLength(3);
  stop();
  await stage.clock.pass(30 * 24 * HOUR);
  expect(stage.calls('savePush')).toHaveLength(3);
});

test('[N-07] a page that becomes visible checks the token at once', async () => {
  const stage = fakePush();
  await stage.push.enable();
  const { page, stop } = open(stage);
  await stage.clock.pass(100);
  stage.push.outdate();
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  await stage.clock.pass(0);
  expect(stage.calls('savePush')).toHaveLength(1);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  await stage.clock.pass(0);
  expect(stage.calls('savePush')).toHaveLength(2);
  stop();
});
