/** A heading and a table in Markdown. */
export function table(heading: string, head: string[], rows: string[][]): string {
  return [heading, '', ...[head, head.map(() => '---'), ...rows].map(row)].join('\n');
}

function row(cells: string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}
