import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { engineControl } from '../../../tools/engines/engines.ts';
import { nats, natsUrl } from '../../../tools/engines/nats.ts';
import { startProgram, stopProgram } from '../../../tools/engines/programEngine.ts';
import { connectNats } from '../../src/adapters/nats.ts';
import type { Bus } from '../../src/ports.ts';
import { soon } from '../soon.ts';
import { type BusRig, busContract, linked, noting } from './bus.contract.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
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
    await vi.waitFor(() => expect(mine.received).toEqual(['news=1']), soon);
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
  await vi.waitFor(() => expect(received).toEqual(['news=1']), soon);
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
    const wait = { timeout: 60_000, interval: 20 };
    await vi.waitFor(() => expect([a.isConnected(), b.isConnected()]).toEqual([false, false]), wait);
    expect(gaps).toEqual([]);
    a.publish('news', bytes('into the void'));

    // Longer than the ten attempts after which the client would give up.
    await sleep(8_000);
    await server.start();
    await vi.waitFor(() => expect(gaps).toEqual([true]), wait);
    await vi.waitFor(() => expect(a.isConnected()).toBe(true), wait);
    await linked(a, b);
    a.publish('news', bytes('again'));
    await vi.waitFor(() => expect(received).toContain('news=again'), wait);
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
      await vi.waitFor(() => expect(bus.isConnected()).toBe(false), { timeout: 60_000, interval: 50 });
    } finally {
      server.resume();
    }
    await vi.waitFor(() => expect([gaps, bus.isConnected()]).toEqual([1, true]), soon);
  });
});
