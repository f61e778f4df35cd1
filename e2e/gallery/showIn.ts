import type { Page } from '@playwright/test';
import { fillText } from '@settee/protocol/texts/fillText';
import { directionOf, type Language, type StaffLanguage } from '@settee/protocol/texts/languages';
import { staffCatalogues, visitorCatalogues } from '@settee/protocol/translations/translations';

/** Arabic runs from right to left. The pseudo-language has accents and is 40 % longer, to find text that is cut off. */
export const otherLanguages = ['ar', 'pseudo'] as const;
export type OtherLanguage = (typeof otherLanguages)[number];

const ATTRIBUTES = ['aria-label', 'placeholder', 'title', 'alt'];

/**
 * Translates the page in place. States are reached in English, because their steps name English buttons. What people
 * wrote stays as it is in Arabic. Returns a function that makes the page English again.
 */
export async function showIn(page: Page, language: StaffLanguage | 'pseudo'): Promise<() => Promise<void>> {
  const found = await page.evaluate(textsOfPage, ATTRIBUTES);
  const translate = language === 'pseudo' ? pseudo : translator(language);
  const translated = Object.fromEntries(found.map((text) => [text, translate(text)]));
  const english = Object.fromEntries(Object.entries(translated).map(([text, other]) => [other, text]));
  const show = (texts: Record<string, string>, lang: Language) =>
    page.evaluate(replaceTexts, { texts, attributes: ATTRIBUTES, lang, dir: directionOf(lang) });
  await show(translated, language === 'pseudo' ? 'en' : language);
  return () => show(english, 'en');
}

function textsOfPage(attributes: string[]): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = new Set<string>();
  while (walker.nextNode()) {
    const { parentElement, nodeValue } = walker.currentNode;
    if (parentElement?.closest('script, style, template') === null) texts.add((nodeValue ?? '').trim());
  }
  for (const element of document.querySelectorAll('*')) {
    for (const name of attributes) texts.add((element.getAttribute(name) ?? '').trim());
  }
  return [...texts].filter((text) => /\p{L}/u.test(text));
}

type Replacing = { texts: Record<string, string>; attributes: string[]; lang: string; dir: string };

function replaceTexts({ texts, attributes, lang, dir }: Replacing): void {
  const root = document.documentElement;
  root.lang = lang;
  root.dir = dir;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const text = node.data.trim();
    const other = texts[text];
    if (other !== undefined && text !== '') node.data = node.data.replace(text, () => other);
  }
  for (const element of document.querySelectorAll('*')) {
    for (const name of attributes) {
      const other = texts[(element.getAttribute(name) ?? '').trim()];
      if (other !== undefined) element.setAttribute(name, other);
    }
  }
}

const PLURAL = /\{(\w+), plural, (?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/;

type Pattern = { english: RegExp; names: string[]; translation: string };

/** The texts without arguments, and every English form of the others as a pattern that finds its arguments. */
type Catalogue = { texts: Map<string, string>; patterns: Pattern[] };

function catalogueIn(language: StaffLanguage): Catalogue {
  const pairs = [
    ...pairsOf(visitorCatalogues.en, visitorCatalogues[language]),
    ...pairsOf(staffCatalogues.en, staffCatalogues[language]),
  ];
  const patterns = pairs
    .filter(([english]) => english.includes('{'))
    // The longest first: a short pattern may also fit a long text.
    .toSorted(([left], [right]) => right.length - left.length)
    .flatMap(([english, translation]) => formsOf(english).map((form) => patternOf(form, translation)))
    // A pattern without words of its own fits everything.
    .filter(({ english }) => /[a-z]/i.test(english.source.replaceAll(/\(.+?\)/g, '')));
  // Of texts that are the same in English, the first one counts.
  const texts = new Map(pairs.toReversed().filter(([english]) => !english.includes('{')));
  return { texts, patterns };
}

function pairsOf(english: unknown, translated: unknown): [string, string][] {
  if (typeof english === 'string') return [[english, String(translated)]];
  const other = translated as Record<string, unknown>;
  return Object.entries(english as object).flatMap(([name, each]) => pairsOf(each, other[name]));
}

/** '{n, plural, one {# chat} other {# chats}}' has the forms '{#n} chat' and '{#n} chats'. */
function formsOf(message: string): string[] {
  const plural = PLURAL.exec(message);
  if (plural === null) return [message];
  const [whole, name] = plural;
  const forms = [...whole.slice(1).matchAll(/(?:=\d+|\w+) \{((?:[^{}]|\{[^{}]*\})*)\}/g)];
  return forms.flatMap(([, form = '']) =>
    formsOf(message.replace(whole, () => form.replaceAll('#', `{#${name}}`))),
  );
}

/** '{#n}' stands for a number, '{name}' for any text. */
function patternOf(form: string, translation: string): Pattern {
  const names = [...form.matchAll(/\{#?(\w+)\}/g)].map(([, name = '']) => name);
  const source = form
    .split(/(\{#?\w+\})/)
    .map((part, at) =>
      at % 2 === 0
        ? part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
        : part.startsWith('{#')
          ? '([\\d,]+)'
          : '(.+?)',
    )
    .join('');
  return { english: new RegExp(`^${source}$`), names, translation };
}

const known = new Map<string, Catalogue>();

/** A text that is not in the catalogues stays as it is. */
function translator(language: StaffLanguage): (text: string) => string {
  const catalogue = known.get(language) ?? catalogueIn(language);
  known.set(language, catalogue);
  return (text) => catalogue.texts.get(text) ?? filled(text, catalogue.patterns, language);
}

function filled(text: string, patterns: readonly Pattern[], language: StaffLanguage): string {
  for (const { english, names, translation } of patterns) {
    const found = english.exec(text);
    if (found === null) continue;
    const values = names.map((name, at): [string, string | number] => {
      const value = found[at + 1] ?? '';
      return [name, /^\d[\d,]*$/.test(value) ? Number(value.replaceAll(',', '')) : value];
    });
    return fillText(translation, Object.fromEntries(values), language);
  }
  return text;
}

const ACCENTS: Record<string, string> = {
  a: 'á',
  e: 'ë',
  i: 'ï',
  o: 'ø',
  u: 'ü',
  A: 'Å',
  E: 'É',
  O: 'Ö',
  c: 'ç',
};

function pseudo(text: string): string {
  const accented = text.replaceAll(/[aeiouAEOc]/g, (letter) => ACCENTS[letter] ?? letter);
  return `${accented} ${'ñöþ '.repeat(Math.ceil((text.length * 0.4) / 4)).trim()}`;
}
