import { expect, test } from 'vitest';
import { wordsAfter, wordsBefore } from './wordsBefore.ts';

test('[OPEN-101] words that come back stand before what was written since, once', () => {
  expect(wordsBefore('Sorry', '')).toBe('Sorry');
  expect(wordsBefore('Sorry', 'and')).toBe('Sorry\nand');
  expect(wordsBefore('Sorry', 'Sorry\nand')).toBe('Sorry\nand');
  expect(wordsBefore('Sorry', 'Sorry, and')).toBe('Sorry\nSorry, and');
  expect(wordsBefore('', 'and')).toBe('and');
});

test('[OPEN-98] words that have arrived are taken from before what was written since, and nothing else is', () => {
  expect(wordsAfter('Sorry', 'Sorry')).toBe('');
  expect(wordsAfter('Sorry', 'Sorry\nand')).toBe('and');
  expect(wordsAfter('Sorry', 'Sorry, and')).toBe('Sorry, and');
  expect(wordsAfter('Sorry', '')).toBe('');
});
