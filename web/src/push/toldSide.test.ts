import { expect, test } from 'vitest';
import { isStillHere, readTold } from './toldSide.ts';

test('[OPEN-131] a subscription is renewed for nobody but whom it told', () => {
  expect(isStillHere({ side: 'staff', id: 's1' }, 's1')).toBe(true);
  expect(isStillHere({ side: 'staff', id: 's1' }, 's2')).toBe(false);
  expect(isStillHere({ side: 'staff', id: 's1' }, undefined)).toBe(false);
  expect(isStillHere({ side: 'visitor', id: 'v1' }, 's2')).toBe(true);
});

test('[OPEN-131] what is kept says who it was; a side alone tells nobody', () => {
  expect(readTold('staff s1')).toEqual({ side: 'staff', id: 's1' });
  for (const kept of [undefined, '', 'staff', 'somebody s1']) expect(readTold(kept)).toBeUndefined();
});
