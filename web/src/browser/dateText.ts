import { localeOf } from '@settee/protocol/texts/fillText';

/** A date or time in the language of the page. */
export function dateText(at: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(localeOf(), options).format(at);
}
