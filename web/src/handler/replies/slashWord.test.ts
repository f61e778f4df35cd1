import { expect, test } from 'vitest';
import { insertTemporarySlash, withoutTemporarySlash } from './slashWord.ts';

test('a slash that a button inserted goes if nothing was typed after it', () => {
  const lent = insertTemporarySlash({ text: 'Well', caret: 4 });
  expect(lent.after).toEqual({ text: 'Well /', caret: 6 });
  expect(withoutTemporarySlash(lent, lent.after)).toEqual({ text: 'Well', caret: 4 });
  const typed = { text: 'Well /th', caret: 8 };
  expect(withoutTemporarySlash(lent, typed)).toBe(typed);
  expect(withoutTemporarySlash(null, typed)).toBe(typed);
});

test('the button pressed twice inserts one slash', () => {
  const once = insertTemporarySlash({ text: '', caret: 0 });
  expect(insertTemporarySlash(withoutTemporarySlash(once, once.after))).toEqual(once);
});
