import {
  type StaffCatalogue,
  staffCatalogue,
  type VisitorCatalogue,
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
import { visitor as it } from './it/visitor.ts';
import { visitor as ja } from './ja/visitor.ts';
import { visitor as nl } from './nl/visitor.ts';
import { visitor as pl } from './pl/visitor.ts';
import { visitor as ptBR } from './pt-BR/visitor.ts';

/** Every language, for the server. A page gets only its own. */
export const visitorCatalogues: Readonly<Record<Language, VisitorCatalogue>> = {
  en: visitorCatalogue,
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

export const staffCatalogues: Readonly<Record<StaffLanguage, StaffCatalogue>> = {
  en: staffCatalogue,
  de: deStaff,
  fr: frStaff,
  es: esStaff,
  ar: arStaff,
};
