import { expect, test } from 'vitest';
import { fakeClock } from '../../test/fakeClock.ts';
import { CHIME_INTERVAL_MS, chime } from './chime.ts';

test('however many messages arrive, there is one sound in two seconds', async () => {
  const clock = fakeClock();
  let played = 0;
  const ring = chime(clock, () => played++);
  ring();
  ring();
  await clock.pass(CHIME_INTERVAL_MS - 1);
  ring();
  expect(played).toBe(1);
  await clock.pass(1);
  ring();
  expect(played).toBe(2);
});
