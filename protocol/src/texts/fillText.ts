/** A number is written in the language of the text; a string is filled in as it is. */
export type TextValues = Readonly<Record<string, string | number>>;

/** The language of the page. The server passes the language of each text. */
let pageLanguage = 'en';

export function setPageLanguage(language: string): void {
  pageLanguage = language;
}

/** The tag for `Intl`. English dates and numbers are British, like the texts. */
export function localeOf(language = pageLanguage): string {
  return language === 'en' ? 'en-GB' : language;
}

const ARGUMENT = /^(\w+)$/;
const PLURAL = /^(\w+), plural, /;

/**
 * Fills in a message in ICU MessageFormat: arguments (`{name}`) and plurals (`{count, plural, one {# chat} other {#
 * chats}}`). Filled-in text is not processed again. Anything else in braces stays, because people write braces too.
 */
export function fillText(text: string, values: TextValues, language = pageLanguage): string {
  return write(text, (inner) => {
    const name = (ARGUMENT.exec(inner) ?? PLURAL.exec(inner))?.[1];
    const value = name === undefined ? undefined : values[name];
    if (value === undefined) return undefined;
    if (!PLURAL.test(inner)) return typeof value === 'number' ? formatNumber(value, language) : value;
    const count = Number(value);
    const chosen = formFor(count, inner.replace(PLURAL, ''), language);
    return fillText(chosen.replaceAll('#', formatNumber(count, language)), values, language);
  });
}

const numbers = new Map<string, Intl.NumberFormat>();

export function formatNumber(value: number, language = pageLanguage): string {
  const format = numbers.get(language) ?? new Intl.NumberFormat(localeOf(language));
  numbers.set(language, format);
  return format.format(value);
}

/** Of 'one {…} other {…}', the form for this number. */
function formFor(count: number, forms: string, language: string): string {
  const category = new Intl.PluralRules(localeOf(language)).select(count);
  const found: Record<string, string> = {};
  write(forms, (form, before) => {
    found[before.trim()] = form;
    return '';
  });
  return found[`=${count}`] ?? found[category] ?? found.other ?? '';
}

/** Replaces each `{…}`. Where there is no replacement, the brace is text, and the search goes on behind it. */
function write(text: string, replace: (inner: string, before: string) => string | undefined): string {
  let written = '';
  let rest = text;
  for (let start = rest.indexOf('{'); start !== -1; start = rest.indexOf('{')) {
    const end = closingBrace(rest, start);
    const before = rest.slice(0, start);
    const replacement = end === -1 ? undefined : replace(rest.slice(start + 1, end), before);
    written += before + (replacement ?? '{');
    rest = rest.slice(replacement === undefined ? start + 1 : end + 1);
  }
  return written + rest;
}

function closingBrace(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}
