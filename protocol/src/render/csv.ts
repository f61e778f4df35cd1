/** A spreadsheet runs a cell that begins with one of these as a formula. East Asian ones accept full-width signs too. */
const FORMULA = /^[\s"']*[=+\-@\t\r\n|＝＋－＠｜]/;

/**
 * Spreadsheets of many countries separate by semicolon, some by tab. They see our quotes in the middle of a cell and
 * ignore them, so their cells and lines can begin inside ours. No formula begins with `-)`, so winking faces stay
 * unchanged.
 */
const FORMULA_WITHIN = /(?<=[;\t\r\n])(?=(?:[^\S\t\r\n]|["'])*(?:[=+@|＝＋－＠｜]|-(?!\))))/g;

/** One cell according to ASVS 1.2.10: quoted if necessary, and never a formula. Our own numbers stay numbers. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = (FORMULA.test(value) ? `'${value}` : value).replace(FORMULA_WITHIN, "'");
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The first line of a file. Without the byte order mark a spreadsheet assumes a legacy encoding. */
export function csvHead(columns: readonly string[]): string {
  return `\uFEFF${csvLine(columns)}`;
}

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
