import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/system.ts';
import { fakeClock } from '../fakeClock.ts';
import { clockContract } from './clock.contract.ts';

describe('the system’s clock', () => {
  clockContract(() => ({ clock: systemClock, pass: (ms) => sleep(ms) }));

  test('tells the time of day', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
  });

  test('what waits does not keep the process alive', async () => {
    const system = fileURLToPath(new URL('../../src/adapters/system.ts', import.meta.url));
    const script = `import { systemClock } from ${JSON.stringify(system)};
      systemClock.after(60_000, () => {});
      console.log('waiting');`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 20_000,
    });
    expect(stdout).toBe('waiting\n');
  }, 30_000);
});

describe('the clock of tests', () => {
  clockContract(() => {
    const clock = fakeClock();
    return { clock, pass: async (ms) => clock.advance(ms) };
  });

  test('stands still by itself, and everything runs at its own moment', () => {
    const clock = fakeClock(1_000);
    const seen: number[] = [];
    clock.after(30, () => seen.push(clock.now()));
    clock.after(10, () => {
      seen.push(clock.now());
      clock.after(5, () => seen.push(clock.now()));
    });
    clock.advance(9);
    expect(seen).toEqual([]);
    clock.advance(30 * 24 * 60 * 60 * 1_000);
    expect(seen).toEqual([1_010, 1_015, 1_030]);
    expect(clock.now()).toBe(1_009 + 30 * 24 * 60 * 60 * 1_000);
  });

  test('a chain that renews itself for ever does not hold time', () => {
    const clock = fakeClock(0);
    let runs = 0;
    const again = (): void => {
      runs++;
      clock.after(0, again);
    };
    again();
    clock.advance(100);
    expect(runs).toBe(101);
  });
});
