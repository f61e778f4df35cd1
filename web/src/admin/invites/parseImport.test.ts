import { csvLine } from '@settee/protocol/render/csv';
import { expect, test } from 'vitest';
import { parseImport, readTextFile } from './parseImport.ts';

const rules = { aliases: new Set(['mara-east', 'mara-west']), alias: 'mara-east', days: 30 };
const parse = (text: string) => parseImport(text, rules);
const row = (label: string, alias = 'mara-east', days = 30) => ({ label, alias, days });

test('[INVITE-15] a list is read with or without a header, handlers and days', () => {
  expect(parse('Label,Handler,Days\nOne,mara-west,7\nTwo\n\nThree,,9\n')).toEqual({
    rows: [row('One', 'mara-west', 7), row('Two'), row('Three', 'mara-east', 9)],
    problems: [],
  });
  expect(parse('One\r\nTwo').rows).toEqual([row('One'), row('Two')]);
});

test('[INVITE-15] cells are read as spreadsheets write and copy them', () => {
  const nasty = 'Lyon, "the reading"\nno. 1';
  expect(parse(csvLine([nasty, 'mara-west', 5])).rows).toEqual([
    row('Lyon, "the reading" no. 1', 'mara-west', 5),
  ]);
  expect(parse('Lyon, no. 1\tmara-west\t5').rows).toEqual([row('Lyon, no. 1', 'mara-west', 5)]);
  expect(parse('\uFEFFLyon;mara-west;5').rows).toEqual([row('Lyon', 'mara-west', 5)]);
});

test('[INVITE-15] every wrong line is named', () => {
  const { rows, problems } = parse(
    [
      'label,handler,days',
      'Fine',
      ',mara-east,3',
      'Two,nobody',
      '"over',
      'lines",mara-east,0',
      'x,,1.5',
      'y,,1,extra',
      'z'.repeat(121),
    ].join('\n'),
  );
  expect(rows).toEqual([row('Fine')]);
  expect(problems).toEqual([
    { line: 3, text: 'the label is missing' },
    { line: 4, text: 'there is no handler “nobody”' },
    { line: 5, text: 'the days “0” are not a whole number from 1 to 3,650' },
    { line: 7, text: 'the days “1.5” are not a whole number from 1 to 3,650' },
    { line: 8, text: 'there are more than three columns' },
    { line: 9, text: 'the label has more than 120 characters' },
  ]);
});

test('[INVITE-15] 10,000 rows are an import, one more is not', () => {
  const lines = Array.from({ length: 10_001 }, (_, index) => `Invite ${index + 1}`);
  expect(parse(lines.slice(1).join('\n')).problems).toEqual([]);
  const { rows, problems } = parse(lines.join('\n'));
  expect(rows).toHaveLength(10_000);
  expect(problems).toEqual([{ line: 10_001, text: 'an import has 10,000 rows at most' }]);
});

const file = (text: string, encoding: BufferEncoding) => new Blob([Buffer.from(text, encoding)]);

test('a list is read in the encoding it was saved in', async () => {
  expect(await readTextFile(file('Käthe Müller', 'utf8'))).toBe('Käthe Müller');
  expect(await readTextFile(file('\uFEFFKäthe Müller', 'utf8'))).toBe('Käthe Müller');
  expect(await readTextFile(file('Käthe Müller', 'latin1'))).toBe('Käthe Müller');
  // Only in windows-1252: the euro sign, and Word's quotes.
  expect(await readTextFile(new Blob([Uint8Array.of(0x80, 0x93, 0x94)]))).toBe('€“”');
  expect(await readTextFile(file('\uFEFFŽofie\t7', 'utf16le'))).toBe('Žofie\t7');
  expect(await readTextFile(new Blob([Uint8Array.of(0xfe, 0xff, 0x01, 0x7d)]))).toBe('Ž');
  expect(await readTextFile(file('', 'utf8'))).toBe('');
});
