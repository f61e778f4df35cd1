/** Columns of equal width. The first row has the names. */
export function table(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The check shows lines that begin with two spaces. */
export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
