import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fakeClock.ts';
import { systemClock, systemRandom } from './system.ts';

/** Two clocks, and how time passes for each. The steps are small, so that timers of timers get their turns. */
const fake = fakeClock();
const clocks = {
  system: {
    clock: systemClock,
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= 10) await sleep(10);
    },
  },
  fake: { clock: fake, pass: async (ms: number) => fake.advance(ms) },
};

test.each(Object.entries(clocks))(
  'the %s clock runs each timer once, in the order of their times, unless it was cancelled',
  async (_name, { clock, pass }) => {
    const order: string[] = [];
    const run = (name: string) => () => order.push(name);
    const before = clock.now();
    const cancelled = clock.after(50, run('cancelled'));
    clock.after(150, run('third'));
    clock.after(0, run('first'));
    clock.after(20, () => {
      cancelled();
      cancelled();
      clock.after(20, run('second'));
    });
    expect(order).toEqual([]);
    await pass(300);
    expect(order).toEqual(['first', 'second', 'third']);
    // Real timers and the real clock may differ by a millisecond.
    expect(clock.now() - before).toBeGreaterThanOrEqual(299);
    expect(Number.isInteger(before)).toBe(true);
  },
);

test('a pending timer does not keep the process alive', async () => {
  const system = fileURLToPath(new URL('./system.ts', import.meta.url));
  const script = `import { systemClock } from ${JSON.stringify(system)};
    systemClock.after(60_000, () => {});
    console.log('waiting');`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout).toBe('waiting\n');
});

test('random bytes have their length and differ, and ids are unique UUIDs of version 4', () => {
  for (const length of [0, 1, 24]) expect(systemRandom.bytes(length)).toHaveLength(length);
  const drawn = Array.from({ length: 1_000 }, () => Buffer.from(systemRandom.bytes(24)).toString('hex'));
  expect(new Set(drawn).size).toBe(1_000);
  const ids = Array.from({ length: 1_000 }, () => systemRandom.uuid());
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(1_000);
});

// The bounds are so wide that fair numbers fail once in billions of runs.
test('random numbers below a limit are all equally likely', () => {
  const counts = new Map<number, number>();
  for (let draw = 0; draw < 20_000; draw += 1) {
    const number = systemRandom.below(10);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  expect([...counts.keys()].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const count of counts.values()) expect(Math.abs(count - 2_000)).toBeLessThan(400);
  // 2^32 is not divisible by this limit: a plain remainder would give the low third twice as often.
  const limit = 3 * 2 ** 30;
  const low = Array.from({ length: 30_000 }, () => systemRandom.below(limit)).filter(
    (number) => number < limit / 3,
  );
  expect(Math.abs(low.length - 10_000)).toBeLessThan(700);
  for (const wrong of [0, -1, 1.5]) expect(() => systemRandom.below(wrong)).toThrow(Error);
});
