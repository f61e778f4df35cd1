import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { IntlMessageFormat } from 'intl-messageformat';
import { expect, test } from 'vitest';
import { staffCatalogue, visitorCatalogue } from '../texts/catalogues.ts';
import { fillText, localeOf } from '../texts/fillText.ts';
import { acceptedLanguage, type Language, visitorLanguages } from '../texts/languages.ts';
import { staffTranslations, visitorTranslations, withEnglish } from './translations.ts';

test('words in braces are filled in, once, and unknown ones stay', () => {
  expect(fillText('{name} is viewing', { name: 'Ana' })).toBe('Ana is viewing');
  expect(fillText('{name}, {time}', { name: '{time}', time: '09:41' })).toBe('{time}, 09:41');
  expect(fillText('{other}', { name: 'Ana' })).toBe('{other}');
  expect(fillText('$& {name}', { name: '$1' })).toBe('$& $1');
});

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

test('[LANG-04] a text without a translation is in English', () => {
  const english = { one: 'one', more: { two: 'two', days: ['Monday', 'Sunday'] } };
  const de = { more: { days: ['Montag'] } };
  expect(withEnglish(english, { de }).de).toEqual({
    one: 'one',
    more: { two: 'two', days: ['Montag', 'Sunday'] },
  });
});

type Catalogue = { language: Language; english: Map<string, string>; translated: Map<string, string> };

const catalogues: Catalogue[] = [
  ...cataloguesOf(visitorCatalogue, visitorTranslations),
  ...cataloguesOf(staffCatalogue, staffTranslations),
];

function cataloguesOf(english: object, translations: Partial<Record<Language, object>>): Catalogue[] {
  return Object.entries({ en: english, ...translations }).map(([language, texts]) => ({
    language: language as Language,
    english: messagesOf(english),
    translated: messagesOf(texts),
  }));
}

/** Every message by its full name. */
function messagesOf(value: unknown, name = ''): Map<string, string> {
  if (typeof value === 'string') return new Map([[name, value]]);
  return new Map(
    Object.entries(value as object).flatMap(([key, each]) => [...messagesOf(each, `${name}/${key}`)]),
  );
}

type Plural = { name: string; forms: string[] };

function argumentsOf(elements: MessageFormatElement[]): { names: Set<string>; plurals: Plural[] } {
  const names = new Set<string>();
  const plurals: Plural[] = [];
  const visit = (parts: MessageFormatElement[]): void => {
    for (const part of parts) {
      if (part.type === TYPE.argument) names.add(part.value);
      else if (part.type === TYPE.plural) {
        names.add(part.value);
        plurals.push({ name: part.value, forms: Object.keys(part.options) });
        for (const { value } of Object.values(part.options)) visit(value);
      } else if (part.type !== TYPE.literal && part.type !== TYPE.pound) {
        throw new Error(`fillText knows no element of type ${TYPE[part.type]}`);
      }
    }
  };
  visit(elements);
  return { names, plurals };
}

const parsed = (message: string): MessageFormatElement[] => parse(message, { ignoreTag: true });

test.each(catalogues)(
  '[LANG-04] $language: every text has its arguments and plural forms',
  ({ language, english, translated }) => {
    const wanted = new Intl.PluralRules(localeOf(language)).resolvedOptions().pluralCategories;
    for (const [name, text] of translated) {
      const source = english.get(name) ?? '';
      const { names, plurals } = argumentsOf(parsed(text));
      expect([name, [...names].toSorted()]).toEqual([
        name,
        [...argumentsOf(parsed(source)).names].toSorted(),
      ]);
      for (const { forms } of plurals) expect([name, forms]).toEqual([name, expect.arrayContaining(wanted)]);
      expect([name, text === '' ? source : text.trim()]).toEqual([name, text]);
    }
  },
);

const COUNTS = [0, 1, 2, 3, 5, 7, 11, 20, 21, 22, 25, 99, 100, 101, 103, 111, 1_000, 1_234_567];

test.each(catalogues)('$language: a text reads as FormatJS writes it', ({ language, translated }) => {
  for (const [name, text] of translated) {
    const { names, plurals } = argumentsOf(parsed(text));
    const counted = new Set(plurals.map((each) => each.name));
    const reference = new IntlMessageFormat(text, localeOf(language), undefined, { ignoreTag: true });
    for (const count of counted.size === 0 ? [1] : COUNTS) {
      const values = Object.fromEntries(
        [...names].map((each) => [each, counted.has(each) ? count : `<${each}>`]),
      );
      expect([name, fillText(text, values, language)]).toEqual([name, reference.format(values)]);
    }
  }
});
