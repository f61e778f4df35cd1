// Controls but tab and newline, and the marks that reorder what a reader sees: they can make a text
// read differently from what was typed. Joiners and isolates stay; languages and emoji need them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
const HOSTILE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\uFEFF]/gu;

/** The text as it will be stored: what the sender's own bubble shows must equal it. */
export function cleanMessageText(raw: string): string {
  return raw.replace(/\r\n?/g, '\n').replace(HOSTILE, '').toWellFormed().trim();
}
