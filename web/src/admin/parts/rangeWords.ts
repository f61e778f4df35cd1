import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';

/** "1 to 50 of 320", as far as the numbers are known. */
export function rangeWords(shown: number, total: number | string | undefined): string {
  const count = shown.toLocaleString('en');
  if (total === undefined) return fillText(adminTexts.range, { shown: count });
  return fillText(adminTexts.rangeOf, { shown: count, total: total.toLocaleString('en') });
}
