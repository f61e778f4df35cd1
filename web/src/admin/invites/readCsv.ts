/** A row of a file, and the line on which it begins. */
export type CsvRow = { line: number; cells: string[] };

const SEPARATORS = ['\t', ';', ','] as const;

/** Rows and cells, as spreadsheets write and copy them: quoted or not, parted by commas, semicolons or tabs. */
export function readCsv(text: string): CsvRow[] {
  const clean = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const separator = separatorOf(clean);
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let cell = '';
  let quoted = false;
  let line = 1;

  function endCell(): void {
    row.cells.push(cell.trim());
    cell = '';
  }
  function endRow(): void {
    endCell();
    if (row.cells.some((value) => value !== '')) rows.push(row);
    row = { line: line + 1, cells: [] };
  }

  for (let at = 0; at < clean.length; at += 1) {
    const character = clean[at];
    if (quoted && character === '"' && clean[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (quoted || cell.trim() === '')) {
      quoted = !quoted;
    } else if (character === separator && !quoted) {
      endCell();
    } else if (character === '\n') {
      if (quoted) cell += '\n';
      else endRow();
      line += 1;
    } else cell += character;
  }
  endRow();
  return rows;
}

/** The first that the first line has: a label with a comma in it is quoted, or pasted with tabs. */
function separatorOf(text: string): string {
  const end = text.indexOf('\n');
  const first = end < 0 ? text : text.slice(0, end);
  return SEPARATORS.find((separator) => first.includes(separator)) ?? ',';
}
