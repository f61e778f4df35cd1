import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Bus } from '../../src/ports.ts';

/** Members of one bus. */
export type BusRig = { join(): Promise<Bus>; end(): Promise<void> };

const WAIT = { timeout: 60_000, interval: 5 };
const bytes = (text: string) => new TextEncoder().encode(text);
const text = (payload: Uint8Array) => new TextDecoder().decode(payload);

let probes = 0;

/**
 * Returns when all earlier subscriptions of `listener` receive from `publisher`. A bus may lose messages while a
 * subscription is being set up, so tests must wait for this before they publish.
 */
export async function linked(publisher: Bus, listener: Bus): Promise<void> {
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
export function noting(bus: Bus, pattern: string): { received: string[]; end(): void } {
  const received: string[] = [];
  const subscription = bus.subscribe(pattern, (subject, payload) => {
    received.push(`${subject}=${text(payload)}`);
  });
  return { received, end: () => subscription.unsubscribe() };
}

export function busContract(start: () => Promise<BusRig>): void {
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
    for (let round = 0; round < 50; round += 1) {
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

  test('does not deliver before publish has returned', async () => {
    const { received } = noting(b, 'news');
    await linked(a, b);
    a.publish('news', bytes('1'));
    expect(received).toEqual([]);
    await vi.waitFor(() => expect(received).toEqual(['news=1']), WAIT);
  });

  test('is connected, and publishing without subscribers is harmless', () => {
    expect(a.isConnected()).toBe(true);
    a.publish('nobody.listens', bytes('?'));
  });

  test('a star matches exactly one token', async () => {
    const oneWord = noting(b, 'room.*');
    const middle = noting(b, 'room.*.seen');
    const exact = noting(b, 'room.1');
    await linked(a, b);
    const subjects = [
      'room',
      'room.1',
      'room.2',
      'room.1.seen',
      'room.1.2.seen',
      'room.1.typing',
      'rooms.1',
      'x.1',
    ];
    for (const subject of subjects) a.publish(subject, bytes('!'));
    a.publish('room.end', bytes('!'));
    await vi.waitFor(() => expect(oneWord.received).toContain('room.end=!'), WAIT);
    expect(oneWord.received).toEqual(['room.1=!', 'room.2=!', 'room.end=!']);
    expect(middle.received).toEqual(['room.1.seen=!']);
    expect(exact.received).toEqual(['room.1=!']);
  });

  test('two subscriptions of one member each receive a message once', async () => {
    const [one, two] = [noting(b, 'news'), noting(b, 'news')];
    await linked(a, b);
    a.publish('news', bytes('1'));
    a.publish('news', bytes('2'));
    await vi.waitFor(() => expect(two.received).toHaveLength(2), WAIT);
    expect([one.received, two.received]).toEqual([
      ['news=1', 'news=2'],
      ['news=1', 'news=2'],
    ]);
  });

  test('keeps the order of each publisher across all subjects', async () => {
    const c = await rig.join();
    const { received } = noting(b, '*.*');
    await linked(a, b);
    await linked(c, b);
    received.length = 0;
    const each = 2_000;
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

  test('ending a subscription ends only that one, at once', async () => {
    const [ended, kept] = [noting(b, 'news'), noting(b, 'news')];
    await linked(a, b);
    a.publish('news', bytes('1'));
    await vi.waitFor(() => expect(ended.received).toHaveLength(1), WAIT);
    a.publish('news', bytes('2'));
    ended.end();
    ended.end();
    await vi.waitFor(() => expect(kept.received).toHaveLength(2), WAIT);
    a.publish('news', bytes('3'));
    await vi.waitFor(() => expect(kept.received).toHaveLength(3), WAIT);
    expect(ended.received).toEqual(['news=1']);
  });

  test('a thousand subjects: each subscription receives only its own', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => noting(b, `conversation.${n}`));
    await linked(a, b);
    for (let n = 999; n >= 0; n--) a.publish(`conversation.${n}`, bytes(String(n)));
    await vi.waitFor(() => expect(many.every(({ received }) => received.length > 0)).toBe(true), WAIT);
    for (const [n, { received }] of many.entries()) expect(received).toEqual([`conversation.${n}=${n}`]);
  });

  test.each([
    ['none', new Uint8Array(0)],
    ['every byte', Uint8Array.from({ length: 256 }, (_, n) => n)],
    ['what looks like the wire of NATS', bytes('\r\nPUB news 3\r\nhey\r\n')],
    ['256 KiB', Uint8Array.from({ length: 262_144 }, (_, n) => (n * 31 + (n >> 8)) & 255)],
  ])('payload arrives byte for byte: %s', async (_name, payload) => {
    const received: Uint8Array[] = [];
    b.subscribe('news', (_subject, given) => void received.push(Uint8Array.from(given)));
    await linked(a, b);
    a.publish('news', payload);
    await vi.waitFor(() => expect(received).toHaveLength(1), WAIT);
    expect(Buffer.compare(received[0] ?? bytes('nothing'), payload)).toBe(0);
  });

  test('a closed member receives nothing more; the others continue', async () => {
    const c = await rig.join();
    const [atB, atC] = [noting(b, 'news'), noting(c, 'news')];
    await linked(a, b);
    await linked(a, c);
    await b.close();
    a.publish('news', bytes('1'));
    await vi.waitFor(() => expect(atC.received).toEqual(['news=1']), WAIT);
    expect(atB.received).toEqual([]);
    b.publish('news', bytes('from the grave'));
    a.publish('news', bytes('2'));
    await vi.waitFor(() => expect(atC.received.at(-1)).toBe('news=2'), WAIT);
  });
}

function numberOf(line: string): number {
  return Number(line.slice(line.indexOf('=') + 1));
}
