import { expect, test } from 'vitest';
import { isStillSignedIn, parseSubscribedAs } from './subscribedAs.ts';

test('[OPEN-131] a subscription is renewed for nobody but whom it told', () => {
  expect(isStillSignedIn({ side: 'staff', id: 's1' }, 's1')).toBe(true);
  expect(isStillSignedIn({ side: 'staff', id: 's1' }, 's2')).toBe(false);
  expect(isStillSignedIn({ side: 'staff', id: 's1' }, undefined)).toBe(false);
  expect(isStillSignedIn({ side: 'visitor', id: 'v1' }, 's2')).toBe(true);
});

test('[OPEN-131] what is kept says who it was; a side alone tells nobody', () => {
  expect(parseSubscribedAs('staff s1')).toEqual({ side: 'staff', id: 's1' });
  for (const kept of [undefined, '', 'staff', 'somebody s1']) expect(parseSubscribedAs(kept)).toBeUndefined();
});
