import * as v from 'valibot';
import { cleanMessageText } from './cleanText.ts';

/**
 * One line without control characters, for names, labels, addresses and search words. PostgreSQL cannot store some
 * control characters, and readers should not see the others.
 */
export function oneLine(raw: string): string {
  return cleanMessageText(raw).replace(/\s+/g, ' ');
}

export const Line = v.pipe(v.string(), v.transform(oneLine));
