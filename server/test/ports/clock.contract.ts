import { expect, test, vi } from 'vitest';
import type { Clock } from '../../src/ports.ts';

export type ClockRig = {
  clock: Clock;
  /** Lets this much time pass for the clock. */
  pass(ms: number): Promise<void>;
};

/** The contract of every Clock. The steps are wide enough for real time on a busy machine. */
export function clockContract(start: () => ClockRig): void {
  test('now is in whole milliseconds and advances with time', async () => {
    const { clock, pass } = start();
    const before = clock.now();
    await pass(50);
    expect(Number.isInteger(before)).toBe(true);
    expect(clock.now() - before).toBeGreaterThanOrEqual(49);
    expect(clock.now() - before).toBeLessThan(5_000);
  });

  test('a timer runs once, not too early', async () => {
    const { clock, pass } = start();
    const begun = clock.now();
    const runs: number[] = [];
    clock.after(300, () => runs.push(clock.now() - begun));
    await pass(400);
    await pass(400);
    expect(runs).toHaveLength(1);
    // Real timers and the real clock may differ by a millisecond.
    expect(runs[0]).toBeGreaterThanOrEqual(299);
  });

  test('a delay of zero runs soon, but never synchronously', async () => {
    const { clock, pass } = start();
    const run = vi.fn<() => void>();
    clock.after(0, run);
    expect(run).not.toHaveBeenCalled();
    await pass(50);
    expect(run).toHaveBeenCalledTimes(1);
  });

  test('a cancelled timer does not run; cancelling late or twice is harmless', async () => {
    const { clock, pass } = start();
    const run = vi.fn<() => void>();
    const kept = vi.fn<() => void>();
    const takeBack = clock.after(100, run);
    const takeBackLate = clock.after(100, kept);
    takeBack();
    takeBack();
    await pass(250);
    takeBackLate();
    expect(run).not.toHaveBeenCalled();
    expect(kept).toHaveBeenCalledTimes(1);
  });

  test('timers run in the order of their times, not of the calls', async () => {
    const { clock, pass } = start();
    const order: string[] = [];
    clock.after(200, () => order.push('second'));
    clock.after(20, () => order.push('first'));
    clock.after(200, () => order.push('third'));
    await pass(400);
    expect(order).toEqual(['first', 'second', 'third']);
  });

  test('a timer can start the next one and cancel another', async () => {
    const { clock, pass } = start();
    const order: string[] = [];
    const takeBack = clock.after(250, () => order.push('taken back'));
    clock.after(20, () => {
      takeBack();
      order.push('one');
      clock.after(20, () => order.push('two'));
    });
    await pass(500);
    expect(order).toEqual(['one', 'two']);
  });
}
