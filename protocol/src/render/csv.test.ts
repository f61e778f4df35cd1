import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOr } from '../../../tools/fullSize.ts';
import { csvCell, csvHead, csvLine } from './csv.ts';

fc.configureGlobal({ seed: seedOr(Date.now) });

test('[ADMIN-26] no cell of a CSV file is a formula, whatever a person’s name is', () => {
  for (const text of [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '"=1"',
    "'=1",
    '|cmd',
    '\n=1',
    '＝1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    ' ＝1',
  ]) {
    const cell = csvCell(text).replace(/^"/, '');
    expect(cell.startsWith("'"), text).toBe(true);
  }
  expect(csvLine(['Ana', 'says "hi", twice', 3, null, -4])).toBe('Ana,"says ""hi"", twice",3,,-4\r\n');
});

test('a CSV file starts with the byte order mark of UTF-8', () => {
  expect(csvHead(['label', 'link'])).toBe('\uFEFFlabel,link\r\n');
});

test('[ADMIN-26] no cell is a formula where cells are separated by semicolon or tab', () => {
  expect(csvCell("x;=cmd|' /C calc'!A0;y")).toBe(`"x;'=cmd|' /C calc'!A0;y"`);
  expect(csvLine(['Ana', 'see;\t "=1"\n@x', 'ok ;-) a - b = c'])).toBe(
    `Ana,"see;\t' ""=1""\n'@x",ok ;-) a - b = c\r\n`,
  );
  const nasty = fc.string({ unit: fc.constantFrom(...';\t\r\n"\' ,=+-@|)x＝－'.split('')) });
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 1, maxLength: 4 }), (cells) => {
      // However a spreadsheet reads the quotes, none of its cells may begin a formula.
      for (const theirs of csvLine(cells).split(/[;\t\r\n]/))
        expect(theirs).not.toMatch(/^[\s"]*([=+@|＝＋－＠｜]|-(?!\)))/);
    }),
  );
});

test('[ADMIN-26] written cells can be read back: quotes, commas and line ends stay inside their cell', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), (cells) => {
      const read = parse(csvLine(cells));
      expect(read).toHaveLength(cells.length);
      for (const [i, cell] of cells.entries()) expect(unmarked(read[i])).toBe(unmarked(cell));
    }),
  );
});

/** Without the marks that prevent formulas. */
function unmarked(cell = ''): string {
  return cell.replaceAll("'", '');
}

/** Parses one line of RFC 4180. */
function parse(line: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at < line.length) {
    let cell = '';
    if (line[at] === '"') {
      for (at += 1; !(line[at] === '"' && line[at + 1] !== '"'); at += 1) {
        if (line[at] === '"') at += 1;
        cell += line[at];
      }
      at += 1;
    } else {
      while (line[at] !== ',' && line[at] !== '\r') cell += line[at++];
    }
    cells.push(cell);
    if (line[at] === '\r') break;
    at += 1;
  }
  return cells;
}
