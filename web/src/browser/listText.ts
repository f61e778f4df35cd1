import { localeOf } from '@settee/protocol/texts/fillText';

export const listFormat = (): Intl.ListFormat =>
  new Intl.ListFormat(localeOf(), { type: 'unit', style: 'long' });

/** "Ana, Ben, Cleo". */
export function listText(items: readonly string[]): string {
  return listFormat().format(items);
}
