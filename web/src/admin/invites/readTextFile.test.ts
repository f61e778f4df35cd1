import { expect, test } from 'vitest';
import { readTextFile } from './readTextFile.ts';

const file = (text: string, encoding: BufferEncoding) => new Blob([Buffer.from(text, encoding)]);

test('[OPEN-298] a list is read in the encoding it was saved in', async () => {
  expect(await readTextFile(file('Käthe Müller', 'utf8'))).toBe('Käthe Müller');
  expect(await readTextFile(file('\uFEFFKäthe Müller', 'utf8'))).toBe('Käthe Müller');
  expect(await readTextFile(file('Käthe Müller', 'latin1'))).toBe('Käthe Müller');
  // Of windows-1252 alone: the euro, and quotes as Word sets them.
  expect(await readTextFile(new Blob([Uint8Array.of(0x80, 0x93, 0x94)]))).toBe('€“”');
  expect(await readTextFile(file('\uFEFFŽofie\t7', 'utf16le'))).toBe('Žofie\t7');
  expect(await readTextFile(new Blob([Uint8Array.of(0xfe, 0xff, 0x01, 0x7d)]))).toBe('Ž');
  expect(await readTextFile(file('', 'utf8'))).toBe('');
});
