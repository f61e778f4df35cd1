import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { engineControl } from '../../../../tools/engines/engines.ts';
import { nats, natsUrl } from '../../../../tools/engines/nats.ts';
import { startProgram, stopProgram } from '../../../../tools/engines/programEngine.ts';
import { fullSize } from '../../../../tools/fullSize.ts';
import { InProcessBus } from '../../../src/platform/adapters/inProcessBus.ts';
import { connectNats } from '../../../src/platform/adapters/nats.ts';
import type { Bus } from '../../../src/platform/ports/ports.ts';

/** Members of one bus. */
type BusRig = { join(): Promise<Bus>; end(): Promise<void> };

const WAIT = { timeout: 60_000, interval: 5 };
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (payload: Uint8Array) => new TextDecoder().decode(payload);

let probes = 0;

/**
 * Returns when all earlier subscriptions of `listener` receive from `publisher`. A bus may lose messages while a
 * subscription is being set up, so tests must wait for this before they publish.
 */
async function linked(publisher: Bus, listener: Bus): Promise<void> {
  const subject = `probe.${process.pid}.${probes++}`;
  let received = false;
  const subscription = listener.subscribe(subject, () => {
    received = true;
  });
  for (const end = Date.now() + WAIT.timeout; !received; await sleep(5)) {
    if (Date.now() > end) throw new Error('the bus carries nothing');
    publisher.publish(subject, bytes('probe'));
  }
  subscription.unsubscribe();
}

/** Records messages that match a pattern, as 'subject=payload'. */
function noting(bus: Bus, pattern: string): { received: string[]; end(): void } {
  const received: string[] = [];
  const subscription = bus.subscribe(pattern, (subject, payload) => {
    received.push(`${subject}=${text(payload)}`);
  });
  return { received, end: () => subscription.unsubscribe() };
}

function busContract(start: () => Promise<BusRig>): void {
  let rig: BusRig;
  let a: Bus;
  let b: Bus;
  beforeEach(async () => {
    rig = await start();
    a = await rig.join();
    b = await rig.join();
  });
  afterEach(() => rig.end());

  test('after ready, no published message is missed', async () => {
    for (let round = 0; round < 20; round += 1) {
      const at = noting(b, `ready.${round}`);
      await b.ready();
      a.publish(`ready.${round}`, bytes('first'));
      await vi.waitFor(() => expect(at.received).toEqual([`ready.${round}=first`]), WAIT);
      at.end();
    }
  });

  test('reaches every other member, but not the publisher', async () => {
    const c = await rig.join();
    const [atA, atB, atC] = [noting(a, 'news'), noting(b, 'news'), noting(c, 'news')];
    for (const other of [b, c]) {
      await linked(a, other);
      await linked(other, a);
    }
    a.publish('news', bytes('from a'));
    await vi.waitFor(
      () => expect([atB.received, atC.received]).toEqual([['news=from a'], ['news=from a']]),
      WAIT,
    );
    b.publish('news', bytes('from b'));
    await vi.waitFor(() => expect(atA.received).toHaveLength(1), WAIT);
    expect(atA.received).toEqual(['news=from b']);
    expect(atB.received).toEqual(['news=from a']);
  });

  test('keeps the order of each publisher across all subjects', async () => {
    const c = await rig.join();
    const { received } = noting(b, '*.*');
    await linked(a, b);
    await linked(c, b);
    received.length = 0;
    const each = 500;
    for (let n = 0; n < each; n++) {
      a.publish(`a.${n % 7}`, bytes(String(n)));
      c.publish(`c.${n % 5}`, bytes(String(n)));
      // A pause now and then, so that the two really interleave.
      if (n % 100 === 0) await sleep(0);
    }
    await vi.waitFor(() => expect(received).toHaveLength(2 * each), WAIT);
    const inOrder = Array.from({ length: each }, (_, n) => n);
    expect(received.filter((line) => line.startsWith('a')).map(numberOf)).toEqual(inOrder);
    expect(received.filter((line) => line.startsWith('c')).map(numberOf)).toEqual(inOrder);
  });
}

function numberOf(line: string): number {
  return Number(line.slice(line.indexOf('=') + 1));
}

describe('in one process', () => {
  busContract(async () => {
    const bus = new InProcessBus();
    return { join: async () => bus.connect(), end: async () => {} };
  });
});

const cell = () => `ports-${randomBytes(6).toString('hex')}`;

async function natsRig(url: string, prefix = cell()): Promise<BusRig> {
  const members: Bus[] = [];
  return {
    async join() {
      const bus = await connectNats(url, prefix);
      members.push(bus);
      return bus;
    },
    async end() {
      for (const bus of members) await bus.close();
    },
  };
}

const sharedUrl = (): string => inject('engines').NATS_URL ?? '';

describe('NATS', () => {
  busContract(() => natsRig(sharedUrl()));

  test('cells that share a server are isolated', async () => {
    const [one, other] = [await natsRig(sharedUrl()), await natsRig(sharedUrl())];
    const [a, b, stranger] = [await one.join(), await one.join(), await other.join()];
    const [mine, theirs] = [noting(b, '*'), noting(stranger, '*')];
    await linked(a, b);
    await linked(await other.join(), stranger);
    a.publish('news', bytes('1'));
    await vi.waitFor(() => expect(mine.received).toEqual(['news=1']), WAIT);
    await linked(a, b);
    expect(theirs.received).toEqual([]);
    await one.end();
    await other.end();
  });
});

test('one reachable address of several is enough, whichever has the account', async () => {
  const working = new URL(sharedUrl());
  const gone = `nats://${working.username || 'settee'}:${working.password || 'x'}@127.0.0.1:1`;
  const rig = await natsRig(`${gone}, nats://${working.host}`);
  const [a, b] = [await rig.join(), await rig.join()];
  const { received } = noting(b, 'news');
  await linked(a, b);
  a.publish('news', bytes('1'));
  await vi.waitFor(() => expect(received).toEqual(['news=1']), WAIT);
  await rig.end();
});

describe('NATS, disconnected and reconnected', () => {
  // A separate server, so that killing it disturbs no other test.
  const instance = 'ports';
  const server = engineControl('nats', { instance });
  let rig: BusRig;
  beforeAll(async () => {
    const record = await startProgram(nats, instance);
    if (record === undefined) throw new Error('there is no nats-server');
    rig = await natsRig(natsUrl(record));
  });
  afterAll(async () => {
    await rig.end();
    await stopProgram(nats, instance);
  });

  test('reports the gap after a reconnect, and keeps the subscriptions', async () => {
    const [a, b] = [await rig.join(), await rig.join()];
    const { received } = noting(b, 'news');
    const gaps: boolean[] = [];
    b.onGap(() => gaps.push(b.isConnected()));
    await linked(a, b);
    expect(gaps).toEqual([]);

    await server.kill();
    await vi.waitFor(() => expect([a.isConnected(), b.isConnected()]).toEqual([false, false]), WAIT);
    expect(gaps).toEqual([]);
    a.publish('news', bytes('into the void'));

    // At night longer than the ten attempts after which the client would give up.
    await sleep(fullSize(0, 8_000));
    await server.start();
    await vi.waitFor(() => expect(gaps).toEqual([true]), WAIT);
    await vi.waitFor(() => expect(a.isConnected()).toBe(true), WAIT);
    await linked(a, b);
    a.publish('news', bytes('again'));
    await vi.waitFor(() => expect(received).toContain('news=again'), WAIT);
    // A hint from before the outage would be stale, so it is dropped.
    expect(received).toEqual(['news=again']);
    expect(gaps).toHaveLength(1);
  });

  test('a hanging server is a gap too', async () => {
    const bus = await rig.join();
    let gaps = 0;
    bus.onGap(() => gaps++);
    server.pause();
    try {
      await vi.waitFor(() => expect(bus.isConnected()).toBe(false), WAIT);
    } finally {
      server.resume();
    }
    await vi.waitFor(() => expect([gaps, bus.isConnected()]).toEqual([1, true]), WAIT);
  });
});
