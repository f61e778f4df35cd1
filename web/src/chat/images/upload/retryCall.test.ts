import { expect, test } from 'vitest';
import { fakeClock } from '../../../../test/fakeClock.ts';
import { retryDeadline } from './retryCall.ts';

test('[L-06] only time in which a retry could help counts: neither offline nor asleep', async () => {
  const clock = fakeClock();
  let offline = false;
  const isOver = retryDeadline(120_000, { clock, isOffline: () => offline });
  await clock.pass(30_000);
  expect(isOver()).toBe(false);
  offline = true;
  for (let minute = 0; minute < 60; minute += 1) {
    await clock.pass(60_000);
    expect(isOver()).toBe(false);
  }
  offline = false;
  // A night with the lid closed counts as one attempt.
  await clock.pass(8 * 60 * 60_000);
  expect(isOver()).toBe(false);
  await clock.pass(29_000);
  expect(isOver()).toBe(false);
  await clock.pass(1_000);
  expect(isOver()).toBe(true);
});
