import { encode } from 'uqr';
import { expect, test } from 'vitest';
import { drawQr, qrSvg } from './qr.ts';

const LINK = 'https://chat.example/i/a0abcdefghijklmnopqrstuvwxyz012345';

/** The modules that a path paints, by following its strokes. */
function painted({ size, path }: { size: number; path: string }): boolean[][] {
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let at = Number(x); at < Number(x) + Number(width); at += 1) {
      const row = modules[Number(y)];
      if (row) row[at] = true;
    }
  }
  return modules;
}

test('a QR code has level M, and four white modules around it', () => {
  const qr = drawQr(LINK);
  expect(painted(qr)).toEqual(encode(LINK, { ecc: 'M', border: 4 }).data);
  const rows = painted(qr);
  const edge = (at: number) => at < 4 || at >= qr.size - 4;
  expect(rows.flatMap((row, y) => row.filter((dark, x) => dark && (edge(x) || edge(y))))).toEqual([]);
  // The finder's corner is at the end of the quiet zone.
  expect(rows[4]?.[4]).toBe(true);
});

test('the file is always dark on white', () => {
  expect(qrSvg(LINK)).toMatch(/^<svg xmlns=.*fill="#ffffff".*fill="#000000".*<\/svg>$/);
});
