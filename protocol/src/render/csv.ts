/** A spreadsheet takes a cell that begins with one of these for a formula, and runs it. */
const FORMULA = /^[\s"']*[=+\-@\t\r\n|]/;

/**
 * Many countries' spreadsheets separate by semicolon, some by tab. To those our quotes stand in the middle of a cell and
 * hold nothing together: cells and lines begin inside of ours. Nothing that a formula may be begins with `-)`, so
 * winking faces stay.
 */
const FORMULA_WITHIN = /(?<=[;\t\r\n])(?=(?:[^\S\t\r\n]|["'])*(?:[=+@|]|-(?!\))))/g;

/** One cell after ASVS 1.2.10: quoted where it must be, and never a formula. Numbers of our own stay numbers. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = (FORMULA.test(value) ? `'${value}` : value).replace(FORMULA_WITHIN, "'");
  return /[",\r\n']/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The first line of a file. A spreadsheet takes one without the mark for one in its own old encoding. */
export function csvHead(columns: readonly string[]): string {
  return `\uFEFF${csvLine(columns)}`;
}

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
