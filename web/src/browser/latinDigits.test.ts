import { expect, test } from 'vitest';
import { latinDigits } from './latinDigits.ts';

test('Arabic, Persian and full-width digits become Latin ones', () => {
  expect(latinDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ ０１２３４５６７８９')).toBe('0123456789 0123456789 0123456789');
  expect(latinDigits('12a')).toBe('12a');
});
