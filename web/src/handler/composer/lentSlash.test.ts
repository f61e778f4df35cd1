import { expect, test } from 'vitest';
import { lendSlash, withoutLent } from './lentSlash.ts';

test('[OPEN-99] a slash that a button typed goes when nothing was typed behind it', () => {
  const lent = lendSlash({ text: 'Well', caret: 4 });
  expect(lent.after).toEqual({ text: 'Well /', caret: 6 });
  expect(withoutLent(lent, lent.after)).toEqual({ text: 'Well', caret: 4 });
  const typed = { text: 'Well /th', caret: 8 };
  expect(withoutLent(lent, typed)).toBe(typed);
  expect(withoutLent(null, typed)).toBe(typed);
});

test('[OPEN-99] the button pressed twice lends one slash', () => {
  const once = lendSlash({ text: '', caret: 0 });
  expect(lendSlash(withoutLent(once, once.after))).toEqual(once);
});
