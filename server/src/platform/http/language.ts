import { acceptedLanguage, type Language } from '@settee/protocol/texts/languages';
import type { FastifyRequest } from 'fastify';

/** Set by the page when a person chooses a language. */
const COOKIE = 'language';

/** The language that the person chose, otherwise the best one for the browser. Undefined if there is none. */
export function languageOf<L extends Language>(
  request: FastifyRequest,
  offered: readonly L[],
): L | undefined {
  const chosen = offered.find((each) => each === request.cookies?.[COOKIE]);
  return chosen ?? acceptedLanguage(request.headers['accept-language'], offered);
}
