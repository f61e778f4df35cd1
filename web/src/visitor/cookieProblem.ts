import { texts } from '@settee/protocol/texts/texts';

/** Why this browser keeps no cookie of ours. Over plain http, an installation that expects https is the likelier reason. */
export function cookieProblem(): string {
  return globalThis.isSecureContext === false ? texts.needsHttps : texts.cookiesBlocked;
}
