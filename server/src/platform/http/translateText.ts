import type { Language } from '@settee/protocol/texts/languages';
import { staffCatalogues, visitorCatalogues } from '@settee/protocol/translations/translations';

/** English texts and their translations, by language. */
const tables = new Map<Language, ReadonlyMap<string, string>>();

/** The server's code uses English texts. An answer has the text in the language of its reader, if there is one. */
export function translateText(text: string, language: Language): string {
  if (language === 'en') return text;
  const table = tables.get(language) ?? translationsInto(language);
  tables.set(language, table);
  return table.get(text) ?? text;
}

function translationsInto(language: Language): ReadonlyMap<string, string> {
  const staff: Partial<Record<Language, unknown>> = staffCatalogues;
  return new Map([
    ...pairs(staffCatalogues.en, staff[language]),
    ...pairs(visitorCatalogues.en, visitorCatalogues[language]),
  ]);
}

function pairs(english: unknown, translated: unknown): [string, string][] {
  if (typeof english === 'string') return typeof translated === 'string' ? [[english, translated]] : [];
  const other = (translated ?? {}) as Record<string, unknown>;
  return Object.entries(english as Record<string, unknown>).flatMap(([name, each]) =>
    pairs(each, other[name]),
  );
}
