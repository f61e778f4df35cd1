import { expect, test } from 'vitest';
import { isStillSignedIn, parseSubscribedAs } from './workerStorage.ts';

test('[PUSH-06] a subscription is renewed only for the person it notified', () => {
  expect(isStillSignedIn({ side: 'staff', id: 's1' }, 's1')).toBe(true);
  expect(isStillSignedIn({ side: 'staff', id: 's1' }, 's2')).toBe(false);
  expect(isStillSignedIn({ side: 'staff', id: 's1' }, undefined)).toBe(false);
  expect(isStillSignedIn({ side: 'visitor', id: 'v1' }, 's2')).toBe(true);
});

test('[PUSH-06] the stored record names the person; a side alone notifies nobody', () => {
  expect(parseSubscribedAs('staff s1')).toEqual({ side: 'staff', id: 's1' });
  for (const kept of [undefined, '', 'staff', 'somebody s1']) expect(parseSubscribedAs(kept)).toBeUndefined();
});
