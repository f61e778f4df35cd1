import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOr } from '../../../tools/fullSize.ts';
import { initials } from './initials.ts';

fc.configureGlobal({ seed: seedOr(Date.now) });

test.each([
  ['', ''],
  ['   ', ''],
  ['Ada', 'A'],
  ['ada lovelace', 'AL'],
  ['  Ada   King  Lovelace ', 'AK'],
  ['Ada\u00a0Lovelace', 'AL'],
  ['Chat with us', 'CW'],
  ['élodie ångström', 'ÉÅ'],
  ['李 小龍', '李小'],
  ['😀 Ada', '😀A'],
  ['ßeta ﬁn', 'SF'],
])('[D-08] the initials of %j are %j', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

test('[D-08] initials are at most two characters, never half of one, never a space', () => {
  const words = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 });
  fc.assert(
    fc.property(words, (parts) => {
      const result = initials(parts.join(' '));
      expect(Array.from(result).length).toBeLessThanOrEqual(2);
      expect(result.isWellFormed()).toBe(true);
      expect(result).not.toMatch(/\s/u);
    }),
  );
});
