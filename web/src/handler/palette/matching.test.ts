import { expect, test } from 'vitest';
import { fold, wordsOf } from '../../staff/search/fold.ts';
import { fits } from './items.ts';

test('[CONSOLE-46] case and accents do not matter, as on the server', () => {
  expect(fold('Léa MOREAU')).toBe('lea moreau');
  expect(fold('Straße')).toBe('strasse');
  expect(fold('Łódź Øster ﬁn Σίσυφος')).toBe('lodz oster fin σισυφοσ');
  expect(fold('İstanbul')).toBe('istanbul');
  expect(fold('e\u0301')).toBe('e');
  expect(fold('مُحَمَّد')).toBe('محمد');
});

test('[CONSOLE-46] words are separated by non-letters, ideographs are single words', () => {
  const words = (text: string) => wordsOf(text).map(({ folded }) => folded);
  expect(words('Well, it’s page 212!')).toEqual(['well', 'it', 's', 'page', '212']);
  expect(words('東京 tower')).toEqual(['東', '京', 'tower']);
  expect(words('  ')).toEqual([]);
});

test('an action matches by the beginnings of its words, in any order, or by its initials', () => {
  expect(fits('Mark unread', '')).toBe(true);
  expect(fits('Mark unread', 'unr')).toBe(true);
  expect(fits('Mark unread', 'u ma')).toBe(true);
  expect(fits('Mark unread', 'MU')).toBe(true);
  expect(fits('Léa Moreau', 'lea')).toBe(true);
  expect(fits('Mark unread', 'read')).toBe(false);
  expect(fits('Mark unread', '!')).toBe(false);
});

test('typing a name does not close a chat by accident', () => {
  // The letters of 'lea' occur in 'Close chat' one after the other.
  expect(fits('Close chat', 'lea')).toBe(false);
});
