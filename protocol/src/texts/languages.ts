/** The languages of the visitor's pages, by their own names. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  ja: '日本語',
  ar: 'العربية',
} as const;
export type Language = keyof typeof languageNames;

export const visitorLanguages = Object.keys(languageNames) as Language[];
/** The languages of the console and the admin area. A new language may be for visitors first. */
export const staffLanguages = [
  'en',
  'de',
  'fr',
  'es',
  'pt-BR',
  'it',
  'nl',
  'pl',
  'ja',
  'ar',
] as const satisfies Language[];
export type StaffLanguage = (typeof staffLanguages)[number];

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr';
}

/** The best of these languages for an `Accept-Language` header; undefined if it names none of them. */
export function acceptedLanguage<L extends Language>(
  header: string | undefined,
  offered: readonly L[],
): L | undefined {
  const wanted = (header ?? '').split(',').map((range, place) => {
    const [tag = '', ...parameters] = range.toLowerCase().replaceAll(/\s/g, '').split(';');
    const quality = parameters.find((each) => each.startsWith('q='));
    return { tag, place, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  return wanted
    .filter(({ quality }) => quality > 0)
    .toSorted((a, b) => b.quality - a.quality || a.place - b.place)
    .map(({ tag }) => offered.find((each) => each.toLowerCase() === tag) ?? sameLanguage(tag, offered))
    .find((each) => each !== undefined);
}

/** 'de-AT' gets 'de', and 'pt-PT' gets 'pt-BR': a close language is better than English. */
function sameLanguage<L extends Language>(tag: string, offered: readonly L[]): L | undefined {
  const base = tag.split('-')[0];
  return offered.find((each) => each.split('-')[0] === base);
}
