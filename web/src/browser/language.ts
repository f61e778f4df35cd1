import { reloadPage } from './reloadPage.ts';

const YEAR_SECONDS = 365 * 24 * 3_600;

/** Stored in a cookie, because the gateway writes the texts into the page. Drafts and unsent messages are stored. */
export function chooseLanguage(language: string): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and Safari
  document.cookie = `language=${language}; path=/; max-age=${YEAR_SECONDS}; samesite=lax${secure}`;
  reloadPage();
}
