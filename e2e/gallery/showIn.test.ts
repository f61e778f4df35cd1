import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import { staffCatalogues } from '@settee/protocol/translations/translations';
import { expect, test } from 'vitest';
import { translator } from './showIn.ts';

const arabic = staffCatalogues.ar;
const inArabic = translator('ar');

test('a text is translated as a whole, with its arguments, or not at all', () => {
  expect(inArabic(hoursTexts.title)).toBe(arabic.hoursTexts.title);
  expect(inArabic('Actions for Shop')).toContain('Shop');
  expect(inArabic('Jonas Weber')).toBe('Jonas Weber');
});

test('a plural takes numbers only', () => {
  expect(inArabic('2 new messages')).not.toMatch(/[a-z]/i);
  expect(inArabic('Some new messages')).toBe('Some new messages');
});
