import { localeOf } from '@settee/protocol/texts/fillText';

/** "Ana, Ben, Cleo". */
export function listText(items: readonly string[]): string {
  return new Intl.ListFormat(localeOf(), { type: 'unit', style: 'long' }).format(items);
}
