import { expect, test, vi } from 'vitest';
import { fakeClock } from '../../test/support/fakeClock.ts';
import { soon } from '../../test/support/soon.ts';
import { imageFileName } from '../media/processMedia.ts';
import { createLog } from '../platform/log/log.ts';
import { startWebhookDeliveries } from '../webhooks/deliverWebhooks.ts';
import { superviseRunner } from './superviseRunner.ts';

test.each([
  ['cat.png', 'image/png', 'cat.png'],
  ['Cat.JPEG', 'image/jpeg', 'Cat.JPEG'],
  ['cat.jpg', 'image/jpeg', 'cat.jpg'],
  ['cat.gif', 'image/webp', 'cat.webp'],
  ['cat.html', 'image/png', 'cat.png'],
  ['archive.tar.gz', 'image/png', 'archive.tar.png'],
  ['a sentence. And more', 'image/png', 'a sentence. And more.png'],
  ['no ending', 'image/gif', 'no ending.gif'],
  ['', 'image/webp', 'image.webp'],
  ['.png', 'image/png', 'image.png'],
  ['.jpeg', 'image/jpeg', 'image.jpg'],
  ['.html', 'image/gif', 'image.gif'],
  ['..png', 'image/png', 'image.png'],
  ['.', 'image/png', 'image.png'],
  ['.hidden.png', 'image/png', '.hidden.png'],
  ['', 'image/unheard-of', 'image.jpg'],
])('[D-10] %j that became %s is called %j', (given, type, name) => {
  expect(imageFileName(given, type)).toBe(name);
});

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

test('without webhooks, nothing is logged about them while the database is away', async () => {
  const clock = fakeClock();
  const log = { ...createLog('silent'), warn: vi.fn() };
  const query = vi.fn(() => Promise.reject(new Error('the database is away')));
  const worker = startWebhookDeliveries({ db: { query }, clock, log } as never);
  clock.advance(1_000);
  await worker.stop();
  expect(query).toHaveBeenCalled();
  expect(log.warn).not.toHaveBeenCalled();
});
