import {
  CLOSE_FINAL,
  CLOSE_RESTART,
  CLOSE_TRY_LATER,
  CLOSE_UNAUTHENTICATED,
  type Down,
  TOO_MANY_FRAMES,
  textWithWait,
  VisitorDown,
} from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { defaultBrand } from '@settee/protocol/model/brand';
import { expect, test } from 'vitest';
import { type FakeClock, fakeClock } from '../../test/fakeClock.ts';
import { type Socket, startLive } from './live.ts';
import { TokenFailure } from './tokenFailure.ts';

/** A socket whose other end is the test. */
class FakeSocket {
  readonly sent: Up[] = [];
  closed = false;
  #listeners = new Map<string, (event: never) => void>();

  addEventListener(type: string, listener: (event: never) => void): void {
    this.#listeners.set(type, listener);
  }
  send(data: string): void {
    this.sent.push(JSON.parse(data) as Up);
  }
  close(): void {
    this.closed = true;
  }
  #emit(type: string, event: unknown): void {
    this.#listeners.get(type)?.(event as never);
  }
  open(): void {
    this.#emit('open', {});
  }
  receive(frame: Down | { type: string }): void {
    this.#emit('message', { data: JSON.stringify(frame) });
  }
  welcome(serverTime = 0): void {
    this.open();
    this.receive({ type: 'welcome', version: 1, serverTime, brand: defaultBrand, online: true });
  }
  drop(code = 1006, reason = ''): void {
    this.#emit('close', { code, reason });
  }
}

/** Another socket, or another request, follows after exactly this time. */
async function expectNextAfter(ms: number, clock: FakeClock, made: readonly unknown[]): Promise<void> {
  const before = made.length;
  await clock.pass(ms - 1);
  expect(made).toHaveLength(before);
  await clock.pass(1);
  expect(made).toHaveLength(before + 1);
}

function setUp(token = async (_fresh: boolean) => ({ idToken: 't', expiresAt: 3_600_000 })) {
  const clock = fakeClock();
  const sockets: FakeSocket[] = [];
  const asked: boolean[] = [];
  let doubt = { wake: () => {}, offline: () => {} };
  const live = startLive({
    frames: VisitorDown,
    clock,
    random: () => 1,
    token(fresh) {
      asked.push(fresh);
      return token(fresh);
    },
    openSocket() {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as Socket;
    },
    onDoubt(callbacks) {
      doubt = callbacks;
      return () => {};
    },
  });
  const newest = () => {
    const socket = sockets.at(-1);
    if (!socket) throw new Error('no socket was opened');
    return socket;
  };
  return { live, clock, sockets, asked, newest, wake: () => doubt.wake(), offline: () => doubt.offline() };
}

test('unknown frames are ignored', async () => {
  const { live, clock, newest } = setUp();
  const received: string[] = [];
  live.onFrame((frame) => received.push(frame.type));
  await clock.pass(0);
  newest().welcome();
  newest().receive({ type: 'fromTheFuture' });
  newest().receive({ type: 'presence', online: true } as Down);
  expect(received).toEqual(['welcome', 'presence']);
});

test('a lost connection reconnects with a backoff that doubles up to 30 s and resets after ten good seconds', async () => {
  const { clock, sockets, newest } = setUp();
  await clock.pass(0);
  for (const pause of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    newest().drop();
    await expectNextAfter(pause, clock, sockets);
  }
  newest().welcome();
  await clock.pass(10_000);
  newest().drop();
  const count = sockets.length;
  await clock.pass(500);
  expect(sockets).toHaveLength(count + 1);
});

test('[NET-27] disconnected by a restarting gateway, the page reconnects within the first pause, however often', async () => {
  const { clock, sockets, newest } = setUp();
  await clock.pass(0);
  for (let restart = 1; restart <= 6; restart += 1) {
    newest().welcome();
    await clock.pass(1_000);
    newest().drop(CLOSE_RESTART);
    expect(sockets).toHaveLength(restart);
    await clock.pass(500);
    expect(sockets).toHaveLength(restart + 1);
  }
  // Before the welcome it counts as a failure, so that clients do not cycle between stopping gateways.
  newest().drop(CLOSE_RESTART);
  await expectNextAfter(1_000, clock, sockets);
});

test('[NET-27] the page waits as long as the close says, also after a restart, but never longer than a minute', async () => {
  const { clock, sockets, newest } = setUp();
  await clock.pass(0);
  for (const [reason, wait] of [
    [textWithWait('restarting', 7_000), 7_000],
    ['restarting wait=99999999', 60_000],
    ['restarting wait=soon', 0],
  ] as const) {
    newest().welcome();
    newest().drop(CLOSE_RESTART, reason);
    await expectNextAfter(wait + 500, clock, sockets);
  }
});

test('[NET-27] sent away by a gateway that answers, the page returns within 8 s, however often', async () => {
  const { clock, sockets, newest } = setUp();
  await clock.pass(0);
  for (const pause of [500, 1_000, 2_000, 4_000, 8_000, 8_000]) {
    newest().drop(CLOSE_TRY_LATER);
    await expectNextAfter(pause, clock, sockets);
  }
});

test('[NET-27] answered without a token, the page asks again within 8 s, after the wait that the server asked for', async () => {
  let waitMs = 0;
  const { clock, asked } = setUp(() => Promise.reject(new TokenFailure({ text: '', status: 503, waitMs })));
  const asksAgainAfter = (pause: number) => expectNextAfter(pause, clock, asked);
  await clock.pass(0);
  for (const pause of [500, 1_000, 2_000, 4_000, 8_000]) await asksAgainAfter(pause);
  waitMs = 3_000;
  await asksAgainAfter(8_000);
  await asksAgainAfter(3_000 + 8_000);
});

test('[NET-27] a page that sends too much backs off up to 30 s, on top of the wait that the server asked for', async () => {
  const flooding = setUp();
  await flooding.clock.pass(0);
  for (const pause of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]) {
    flooding.newest().drop(CLOSE_TRY_LATER, textWithWait(TOO_MANY_FRAMES, 5_000));
    await expectNextAfter(5_000 + pause, flooding.clock, flooding.sockets);
  }

  const limited = new TokenFailure({ text: '', status: 429, waitMs: 3_600_000 });
  const { clock, asked } = setUp(() => Promise.reject(limited));
  await clock.pass(0);
  for (const pause of [500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]) {
    await expectNextAfter(60_000 + pause, clock, asked);
  }
});

test('pings every 25 s, and closes a socket that is silent for 10 s afterwards', async () => {
  const { live, clock, newest } = setUp();
  await clock.pass(0);
  newest().welcome();
  await clock.pass(25_000);
  expect(newest().sent.at(-1)).toEqual({ type: 'ping' });
  newest().receive({ type: 'pong' });
  await clock.pass(25_000);
  const dead = newest();
  await clock.pass(10_000);
  expect(dead.closed).toBe(true);
  expect(live.status()).not.toBe('open');
});

test('a final close ends reconnecting and keeps its reason', async () => {
  const { live, clock, sockets, newest, wake } = setUp();
  await clock.pass(0);
  newest().welcome();
  newest().drop(CLOSE_FINAL, 'outdated');
  wake();
  await clock.pass(3_600_000);
  expect(sockets).toHaveLength(1);
  expect([live.status(), live.endReason()]).toEqual(['ended', 'outdated']);
});

test('after an unauthenticated close the next attempt has a new token', async () => {
  const { clock, newest, asked } = setUp();
  await clock.pass(0);
  newest().drop(CLOSE_UNAUTHENTICATED);
  await clock.pass(500);
  newest().drop();
  await clock.pass(1_000);
  expect(asked).toEqual([false, true, false]);
});

test('the token is renewed five minutes before it expires, by the server’s clock', async () => {
  const { clock, newest, asked } = setUp(async () => ({ idToken: 't2', expiresAt: 10_000_000 + 3_600_000 }));
  await clock.pass(0);
  newest().welcome(10_000_000);
  for (let minute = 0; minute < 55; minute += 1) {
    expect(asked).toEqual([false]);
    for (let ping = 0; ping < 12; ping += 1) {
      await clock.pass(5_000);
      newest().receive({ type: 'pong' });
    }
  }
  await clock.pass(1);
  expect(asked).toEqual([false, true]);
  expect(newest().sent).toContainEqual({ type: 'renew', token: 't2' });
});

test('[NET-08] a dead connection is found 2.5 s after waking, and another one is opened', async () => {
  const { live, clock, sockets, newest, wake } = setUp();
  await clock.pass(0);
  newest().welcome();
  wake();
  await clock.pass(2_499);
  expect([live.status(), live.dead()]).toEqual(['open', false]);
  await clock.pass(1);
  expect([live.status(), live.dead()]).toEqual(['waiting', true]);
  await clock.pass(500);
  expect(sockets).toHaveLength(2);
  newest().welcome();
  expect([live.status(), live.dead()]).toEqual(['open', false]);
});

test('[NET-08] in whatever state it wakes, the page opens another connection within 3 s, which leaves 2 s for the answer', async () => {
  const states = {
    dead: () => {},
    closed: (socket: FakeSocket) => socket.drop(),
    async hanging(socket: FakeSocket, pass: (ms: number) => Promise<void>) {
      socket.drop();
      await pass(500);
    },
  };
  for (const [name, bring] of Object.entries(states)) {
    const { clock, sockets, newest, wake } = setUp();
    await clock.pass(0);
    newest().welcome();
    // Long enough for a good connection.
    await clock.pass(10_000);
    await bring(newest(), clock.pass);
    const before = sockets.length;
    wake();
    await clock.pass(3_000);
    expect(sockets.length, name).toBe(before + 1);
    newest().open();
    expect(newest().sent, name).toMatchObject([{ type: 'hello' }]);
  }
});

test('[NET-08] a machine that slept checks its connection by the short deadline', async () => {
  const { live, clock, newest } = setUp();
  await clock.pass(0);
  newest().welcome();
  clock.sleep(3_600_000);
  await clock.pass(2_500);
  expect([live.status(), live.dead()]).toEqual(['waiting', true]);
});

test('[NET-08] an offline report shows at once, and an answer reverts it', async () => {
  const { live, clock, sockets, newest, offline } = setUp();
  const notified: boolean[] = [];
  live.onStatus(() => notified.push(live.dead()));
  await clock.pass(0);
  newest().welcome();
  offline();
  expect([live.status(), live.dead()]).toEqual(['open', true]);
  expect(newest().sent.at(-1)).toEqual({ type: 'ping' });
  newest().receive({ type: 'pong' });
  expect([live.status(), live.dead()]).toEqual(['open', false]);
  expect(notified).toEqual([false, true, false]);
  await clock.pass(10_000);
  expect(sockets).toHaveLength(1);
});

test('[NET-08] checks that follow each other do not keep a dead connection', async () => {
  const { live, clock, newest, wake } = setUp();
  await clock.pass(0);
  newest().welcome();
  live.probe();
  await clock.pass(2_000);
  live.probe();
  await clock.pass(499);
  expect(live.status()).toBe('open');
  await clock.pass(1);
  expect([live.status(), live.dead()]).toEqual(['waiting', true]);
  await clock.pass(500);
  newest().welcome();
  // The short deadline of a probe replaces the one of a ping.
  await clock.pass(25_000);
  wake();
  await clock.pass(2_500);
  expect(live.status()).toBe('waiting');
});
