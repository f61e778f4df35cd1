import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { systemRandom } from './system.ts';

test('a pending timer does not keep the process alive', async () => {
  const system = fileURLToPath(new URL('./system.ts', import.meta.url));
  const script = `import { systemClock } from ${JSON.stringify(system)};
    systemClock.after(60_000, () => {});
    console.log('waiting');`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(stdout).toBe('waiting\n');
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
