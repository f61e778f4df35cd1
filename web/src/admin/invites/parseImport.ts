import { aliasOf } from '@settee/protocol/model/deskName';
import { INVITE_DAYS_MAX } from '@settee/protocol/model/invite';
import { oneLine } from '@settee/protocol/model/line';
import { INVITE_IMPORT_MAX, INVITE_LABEL_MAX } from '@settee/protocol/model/managedInvite';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';

type ImportRow = { label: string; alias: string; days: number };
export type ImportProblem = { line: number; text: string };

type Rules = { aliases: ReadonlySet<string>; alias: string; days: number };

/** Parses a pasted list. Reports every invalid line. */
export function parseImport(text: string, rules: Rules): { rows: ImportRow[]; problems: ImportProblem[] } {
  const found = readCsv(text);
  const lines = isHeader(found[0]) ? found.slice(1) : found;
  const rows: ImportRow[] = [];
  const problems: ImportProblem[] = [];
  for (const line of lines.slice(0, INVITE_IMPORT_MAX)) {
    const read = readRow(line, rules);
    if (typeof read === 'string') problems.push({ line: line.line, text: read });
    else rows.push(read);
  }
  const tooMany = lines[INVITE_IMPORT_MAX];
  if (tooMany) {
    problems.push({ line: tooMany.line, text: fillText(texts.rowTooMany, { max: INVITE_IMPORT_MAX }) });
  }
  return { rows, problems };
}

/** Files come from other people too, whose language may differ. */
const ENGLISH_HEADER = 'label';

function isHeader(row: CsvRow | undefined): boolean {
  const first = row?.cells[0]?.toLowerCase() ?? '';
  return ENGLISH_HEADER === first || texts.csvColumns.label.toLowerCase() === first;
}

/** The row, or an error text. */
function readRow({ cells }: CsvRow, rules: Rules): ImportRow | string {
  const [first = '', second = '', third = '', ...rest] = cells;
  if (rest.some((cell) => cell !== '')) return texts.rowTooWide;
  const label = oneLine(first);
  if (label === '') return texts.rowNoLabel;
  if (label.length > INVITE_LABEL_MAX) return fillText(texts.rowLongLabel, { max: INVITE_LABEL_MAX });
  const alias = second === '' ? rules.alias : aliasOf(second);
  if (!rules.aliases.has(alias)) return fillText(texts.rowUnknownDesk, { desk: second || alias });
  const days = third === '' ? rules.days : Number(third);
  const whole = /^\d*$/.test(third) && days >= 1 && days <= INVITE_DAYS_MAX;
  return whole ? { label, alias, days } : fillText(texts.rowWrongDays, { days: third, max: INVITE_DAYS_MAX });
}

/** A row and its line number. */
type CsvRow = { line: number; cells: string[] };

const SEPARATORS = ['\t', ';', ','] as const;

/** Parses CSV as spreadsheets write it: quoted or not, separated by commas, semicolons or tabs. */
function readCsv(text: string): CsvRow[] {
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

/** The first separator found in the first line. A label with a comma is quoted or pasted with tabs. */
function separatorOf(text: string): string {
  const end = text.indexOf('\n');
  const first = end < 0 ? text : text.slice(0, end);
  return SEPARATORS.find((separator) => first.includes(separator)) ?? ',';
}

/**
 * Reads a text file. Some spreadsheets still save in windows-1252, which accepts any bytes and is therefore
 * tried last. UTF-16 is detected by its byte order mark.
 */
export async function readTextFile(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder(marked(bytes) ?? 'utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function marked([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}
