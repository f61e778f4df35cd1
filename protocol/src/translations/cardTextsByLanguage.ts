import type { VisitorCatalogue } from '../texts/catalogues.ts';
import type { Language } from '../texts/languages.ts';
import { visitorCatalogues } from './translations.ts';

/** Staff print cards for visitors of any language. A page gets only these texts of the other languages. */
export const cardTextsByLanguage = Object.fromEntries(
  Object.entries(visitorCatalogues).map(([language, { cardTexts }]) => [language, cardTexts]),
) as Record<Language, VisitorCatalogue['cardTexts']>;
