import { expect, test } from 'vitest';
import { fakeClock } from '../../../../test/fakeClock.ts';
import { uploadProgress } from './uploadProgress.ts';

test('progress shows at once, then at most four times a second, and always the last', async () => {
  const clock = fakeClock();
  const progress = uploadProgress(clock);
  const notified: unknown[] = [];
  progress.subscribe(() => notified.push([clock.now(), progress.now().get('a')]));
  for (let done = 0; done <= 20; done += 1) {
    const before = progress.now();
    progress.set('a', done);
    if (done > 0) expect(progress.now()).toBe(before);
    await clock.pass(50);
  }
  await clock.pass(1_000);
  expect(notified).toEqual([
    [0, 0],
    [250, 4],
    [500, 9],
    [750, 14],
    [1_000, 19],
    [1_250, 20],
  ]);
  progress.forget('a');
  expect(progress.now().size).toBe(0);
});
