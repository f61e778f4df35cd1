import * as v from 'valibot';
import { cleanMessageText } from '../model/cleanText.ts';

/**
 * One line, without what no keyboard types: names, labels, addresses, words to search for. PostgreSQL cannot take some
 * control characters at all, and a reader should not meet the others.
 */
export function oneLine(raw: string): string {
  return cleanMessageText(raw).replace(/\s+/g, ' ');
}

export const Line = v.pipe(v.string(), v.transform(oneLine));
