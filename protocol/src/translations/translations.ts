import {
  type StaffCatalogue,
  type StaffTranslation,
  staffCatalogue,
  type VisitorCatalogue,
  type VisitorTranslation,
  visitorCatalogue,
} from '../texts/catalogues.ts';
import type { Language, StaffLanguage } from '../texts/languages.ts';
import { staff as arStaff } from './ar/staff.ts';
import { visitor as ar } from './ar/visitor.ts';
import { staff as deStaff } from './de/staff.ts';
import { visitor as de } from './de/visitor.ts';
import { staff as esStaff } from './es/staff.ts';
import { visitor as es } from './es/visitor.ts';
import { staff as frStaff } from './fr/staff.ts';
import { visitor as fr } from './fr/visitor.ts';
import { staff as itStaff } from './it/staff.ts';
import { visitor as it } from './it/visitor.ts';
import { staff as jaStaff } from './ja/staff.ts';
import { visitor as ja } from './ja/visitor.ts';
import { staff as nlStaff } from './nl/staff.ts';
import { visitor as nl } from './nl/visitor.ts';
import { staff as plStaff } from './pl/staff.ts';
import { visitor as pl } from './pl/visitor.ts';
import { staff as ptBRStaff } from './pt-BR/staff.ts';
import { visitor as ptBR } from './pt-BR/visitor.ts';

export const visitorTranslations: Readonly<Record<Exclude<Language, 'en'>, VisitorTranslation>> = {
  de,
  fr,
  es,
  'pt-BR': ptBR,
  it,
  nl,
  pl,
  ja,
  ar,
};

export const staffTranslations: Readonly<Record<Exclude<StaffLanguage, 'en'>, StaffTranslation>> = {
  de: deStaff,
  fr: frStaff,
  es: esStaff,
  'pt-BR': ptBRStaff,
  it: itStaff,
  nl: nlStaff,
  pl: plStaff,
  ja: jaStaff,
  ar: arStaff,
};

/** Every language, for the server. A page gets only its own. */
export const visitorCatalogues: Readonly<Record<Language, VisitorCatalogue>> = withEnglish(
  visitorCatalogue,
  visitorTranslations,
);

export const staffCatalogues: Readonly<Record<StaffLanguage, StaffCatalogue>> = withEnglish(
  staffCatalogue,
  staffTranslations,
);

/** A text without a translation is in English. */
export function withEnglish<L extends string, C>(english: C, translations: Readonly<Record<L, unknown>>) {
  const languages = Object.entries(translations).map(([language, texts]) => [
    language,
    complete(english, texts),
  ]);
  return { en: english, ...(Object.fromEntries(languages) as Record<L, C>) };
}

function complete(english: unknown, translated: unknown): unknown {
  if (typeof english === 'string') return translated ?? english;
  const there = (translated ?? {}) as Record<string, unknown>;
  const texts = Object.entries(english as object).map(([name, text]) => [name, complete(text, there[name])]);
  return Array.isArray(english) ? texts.map(([, text]) => text) : Object.fromEntries(texts);
}
