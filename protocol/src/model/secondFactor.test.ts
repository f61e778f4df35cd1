import * as v from 'valibot';
import { expect, test } from 'vitest';
import { cleanRecoveryCode, RECOVERY_ALPHABET, RECOVERY_CODE_LENGTH, TotpCode } from './secondFactor.ts';

test('[FACTOR-09] a recovery code is read in any spelling, and has 60 bits', () => {
  expect(cleanRecoveryCode(' 7KQM-2XYZ-OIL0 ')).toBe('7kqm2xyz0110');
  expect(new Set(RECOVERY_ALPHABET).size ** RECOVERY_CODE_LENGTH).toBeGreaterThanOrEqual(2 ** 60);
  expect(cleanRecoveryCode(RECOVERY_ALPHABET)).toBe(RECOVERY_ALPHABET);
});

test('[FACTOR-06] a code from an app is six digits, with or without a space', () => {
  expect(v.parse(TotpCode, '123 456')).toBe('123456');
  for (const wrong of ['12345', '1234567', '12345a', '', '１２３４５６'])
    expect(v.is(TotpCode, wrong)).toBe(false);
});
