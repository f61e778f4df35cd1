import { setPageLanguage } from '@settee/protocol/texts/fillText';

setPageLanguage(document.documentElement.lang);

/**
 * The catalogue of the page's language, which the gateway wrote into the page. The build takes every text from here
 * (web/vite/sources.ts), so that a page contains no other language.
 */
export const pageTexts = JSON.parse(document.getElementById('texts')?.textContent ?? '{}') as Record<
  string,
  unknown
>;
