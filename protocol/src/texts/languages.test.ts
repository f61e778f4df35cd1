import { expect, test } from 'vitest';
import { acceptedLanguage, staffLanguages, visitorLanguages } from './languages.ts';

test.each([
  ['pt-BR,pt;q=0.9,en;q=0.8', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['de-AT, en;q=0.5', 'de'],
  ['fi, sv;q=0.9, ja;q=0.1', 'ja'],
  ['en;q=0.2, ar;q=0.9', 'ar'],
  ['AR-EG', 'ar'],
  ['fr;q=0, it', 'it'],
  ['fi', undefined],
  ['*', undefined],
  ['', undefined],
  [';;q=,,-', undefined],
  [undefined, undefined],
])('[LANG-01] Accept-Language: %s gets %s', (header, language) => {
  expect(acceptedLanguage(header, visitorLanguages)).toBe(language);
});

test('[LANG-01] staff pages offer fewer languages', () => {
  expect(acceptedLanguage('ja, fr;q=0.5', staffLanguages)).toBe('fr');
});
