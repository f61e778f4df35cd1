import { oneLine } from '@settee/protocol/frames/line';
import { INVITE_DAYS_MAX } from '@settee/protocol/model/invite';
import { INVITE_IMPORT_MAX, INVITE_LABEL_MAX } from '@settee/protocol/model/managedInvite';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { type CsvRow, readCsv } from './readCsv.ts';

export type ImportRow = { label: string; alias: string; days: number };
export type ImportProblem = { line: number; text: string };

type Rules = { aliases: ReadonlySet<string>; alias: string; days: number };

/** What a pasted list asks for. Every wrong line is named: nothing is made until all are right. */
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
    const max = INVITE_IMPORT_MAX.toLocaleString('en');
    problems.push({ line: tooMany.line, text: fillText(texts.rowTooMany, { max }) });
  }
  return { rows, problems };
}

function isHeader(row: CsvRow | undefined): boolean {
  return row?.cells[0]?.toLowerCase() === texts.label.toLowerCase();
}

/** The row, or what is wrong with it. */
function readRow({ cells }: CsvRow, rules: Rules): ImportRow | string {
  const [first = '', second = '', third = '', ...rest] = cells;
  if (rest.some((cell) => cell !== '')) return texts.rowTooWide;
  const label = oneLine(first);
  if (label === '') return texts.rowNoLabel;
  if (label.length > INVITE_LABEL_MAX) return fillText(texts.rowLongLabel, { max: String(INVITE_LABEL_MAX) });
  const alias = second || rules.alias;
  if (!rules.aliases.has(alias)) return fillText(texts.rowUnknownHandler, { alias });
  const days = third === '' ? rules.days : Number(third);
  const whole = /^\d*$/.test(third) && days >= 1 && days <= INVITE_DAYS_MAX;
  return whole
    ? { label, alias, days }
    : fillText(texts.rowWrongDays, { days: third, max: INVITE_DAYS_MAX.toLocaleString('en') });
}
