import type { VisitorCatalogue } from '../texts/catalogues.ts';
import { directionOf, type Language, type StaffLanguage } from '../texts/languages.ts';
import { cardTextsByLanguage } from '../translations/cardTextsByLanguage.ts';
import { staffCatalogues, visitorCatalogues } from '../translations/translations.ts';
import { escapeHtml } from './escapeHtml.ts';

const HTML = '<html lang="en" dir="ltr">';

/** The tables of texts that the script of each page uses. */
const visitorTables = [
  'texts',
  'deviceTexts',
  'imageTexts',
  'pushTexts',
  'rightsTexts',
  'transcriptTexts',
  'visitorMailTexts',
] as const;
const landingTables = ['texts', 'landingTexts'] as const;

/** A public page in this language. */
export function translatedPage(template: string, language: Language, page: 'visitor' | 'landing'): string {
  const catalogue = visitorCatalogues[language];
  const { texts, landingTexts, pageTexts } = catalogue;
  const script = page === 'visitor' ? visitorTexts(language) : block(pick(catalogue, landingTables));
  return translated(template, language, { ...texts, ...landingTexts, ...pageTexts }, script);
}

/** In the tables above, but only staff see them. */
const staffOnly = [
  'notAuthenticated',
  'signInFailed',
  'accessDenied',
  'conversationNotFound',
  'justNow',
  'minutesAgo',
  'hoursAgo',
  'daysAgo',
  'staffOffer',
  'staffOn',
  'reply',
  'replyPlaceholder',
  'replyFailed',
  'replyRefused',
];

/** The texts of the visitor's script, as they are in the page. */
export function visitorTexts(language: Language): string {
  const tables = pick(visitorCatalogues[language], visitorTables);
  return block(tables, (name) => !staffOnly.includes(name));
}

function pick(catalogue: VisitorCatalogue, tables: readonly (keyof VisitorCatalogue)[]): object {
  return Object.fromEntries(tables.map((name) => [name, catalogue[name]]));
}

/** The console or the admin area in this language. */
export function translatedStaffPage(template: string, language: StaffLanguage): string {
  const {
    landingTexts: _landing,
    pageTexts: _page,
    errorTexts: _error,
    cardTexts: _cards,
    mailTexts: _mails,
    visitorMailTexts: _visitorMails,
    ...common
  } = visitorCatalogues[language];
  const staff = staffCatalogues[language];
  return translated(
    template,
    language,
    { ...common.texts, ...staff.consoleTexts },
    block({ ...common, ...staff, cardTextsByLanguage }),
  );
}

function translated(
  template: string,
  language: Language,
  texts: Readonly<Record<string, unknown>>,
  script: string,
): string {
  return template
    .replace(HTML, `<html lang="${language}" dir="${directionOf(language)}">`)
    .replace(/\{\{texts\.(\w+)\}\}/g, (_, name: string) => {
      const text = texts[name];
      if (typeof text !== 'string') throw new Error(`there is no text named ${name}`);
      return escapeHtml(text);
    })
    .replace('"{{catalogue}}"', () => script);
}

/** JSON that cannot end its script element, and in which the profile is not filled in. */
function block(value: object, has: (name: string) => boolean = () => true): string {
  return JSON.stringify(value, (name, text: unknown) => (has(name) ? text : undefined))
    .replaceAll('<', '\\u003c')
    .replaceAll('{{', '{\\u007b');
}
