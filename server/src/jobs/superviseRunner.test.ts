import { expect, test, vi } from 'vitest';
import { fakeClock } from '../../test/fakeClock.ts';
import { soon } from '../../test/soon.ts';
import { createLog } from '../log/log.ts';
import { superviseRunner } from './superviseRunner.ts';

/**
 * A runner that works until it is stopped or loses its database. Like graphile-worker's, it cannot be stopped twice.
 */
function madeRunner() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let runs = true;
  return {
    promise,
    lose: () => {
      runs = false;
      reject(new Error('the database is away'));
    },
    stop: async () => {
      if (!runs) throw new Error('Runner is already stopped');
      runs = false;
      resolve();
    },
    runs: () => runs,
  };
}

const log = createLog('silent');

test('a lost runner is replaced, and none runs after the stop', async () => {
  const clock = fakeClock();
  const [first, second] = [madeRunner(), madeRunner()];
  const start = vi.fn().mockResolvedValueOnce(first).mockRejectedValueOnce(new Error('away'));
  start.mockResolvedValueOnce(second);
  const kept = await superviseRunner(start, { clock, log });
  first.lose();
  for (const starts of [2, 3]) {
    await vi.waitFor(() => {
      clock.advance(5_000);
      expect(start).toHaveBeenCalledTimes(starts);
    }, soon);
  }
  expect(second.runs()).toBe(true);
  await kept.stop();
  expect(second.runs()).toBe(false);
});

test('a stop during a restart waits for the new runner and stops it', async () => {
  const clock = fakeClock();
  const [first, second] = [madeRunner(), madeRunner()];
  const starting = Promise.withResolvers<typeof second>();
  const start = vi.fn().mockResolvedValueOnce(first).mockReturnValueOnce(starting.promise);
  const kept = await superviseRunner(start, { clock, log });
  first.lose();
  await vi.waitFor(() => {
    clock.advance(5_000);
    expect(start).toHaveBeenCalledTimes(2);
  }, soon);
  const stopped = kept.stop();
  starting.resolve(second);
  await stopped;
  expect(second.runs()).toBe(false);
});
