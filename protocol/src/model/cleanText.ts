// Control characters except tab and newline, and marks that reorder text: they can make a text read differently from
// what was typed. Joiners and isolates stay, because languages and emoji need them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const HOSTILE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\uFEFF]/gu;

/** The text as it is stored. The sender's bubble must show the same. */
export function cleanMessageText(raw: string): string {
  return raw.replace(/\r\n?/g, '\n').replace(HOSTILE, '').toWellFormed().trim();
}
