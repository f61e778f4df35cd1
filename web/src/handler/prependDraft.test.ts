import { expect, test } from 'vitest';
import { prependDraft, removeSentText } from './prependDraft.ts';

test('[OPEN-101] words that come back stand before what was written since, once', () => {
  expect(prependDraft('Sorry', '')).toBe('Sorry');
  expect(prependDraft('Sorry', 'and')).toBe('Sorry\nand');
  expect(prependDraft('Sorry', 'Sorry\nand')).toBe('Sorry\nand');
  expect(prependDraft('Sorry', 'Sorry, and')).toBe('Sorry\nSorry, and');
  expect(prependDraft('', 'and')).toBe('and');
});

test('[OPEN-98] words that have arrived are taken from before what was written since, and nothing else is', () => {
  expect(removeSentText('Sorry', 'Sorry')).toBe('');
  expect(removeSentText('Sorry', 'Sorry\nand')).toBe('and');
  expect(removeSentText('Sorry', 'Sorry, and')).toBe('Sorry, and');
  expect(removeSentText('Sorry', '')).toBe('');
});
