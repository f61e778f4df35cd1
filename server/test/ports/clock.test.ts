import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/adapters/system.ts';
import { fakeClock } from '../fakeClock.ts';
import { clockContract } from './clock.contract.ts';

describe('the system clock', () => {
  // In small steps: after a pause of the whole machine, timers that start other timers still get their turns.
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= 10) await sleep(10);
  };
  clockContract(() => ({ clock: systemClock, pass }));

  test('returns the current time', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000);
  });

  test('a pending timer does not keep the process alive', async () => {
    const system = fileURLToPath(new URL('../../src/adapters/system.ts', import.meta.url));
    const script = `import { systemClock } from ${JSON.stringify(system)};
      systemClock.after(60_000, () => {});
      console.log('waiting');`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 60_000,
    });
    expect(stdout).toBe('waiting\n');
  });
});

describe('the fake clock', () => {
  clockContract(() => {
    const clock = fakeClock();
    return { clock, pass: async (ms) => clock.advance(ms) };
  });

  test('time moves only on request, and every timer runs at its own time', () => {
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

  test('an endless chain of timers does not stop time', () => {
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
