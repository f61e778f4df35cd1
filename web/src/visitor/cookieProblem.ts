import { texts } from '@settee/protocol/texts/texts';

/** Explains why the browser stores no cookie. Over plain http, the installation probably expects https. */
export function cookieProblem(): string {
  return globalThis.isSecureContext === false ? texts.needsHttps : texts.cookiesBlocked;
}
