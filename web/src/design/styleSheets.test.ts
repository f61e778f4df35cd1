import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '..');
const sheets = globSync('**/*.css', { cwd: src }).map((path) => ({
  path,
  css: readFileSync(join(src, path), 'utf8'),
}));
const found = (pattern: RegExp) =>
  sheets.flatMap(({ path, css }) => [...css.matchAll(pattern)].map(([words]) => `${path}: ${words}`));

test("[LOOK-15] no text has a size in px: the browser's text size applies everywhere", () => {
  expect(sheets.length).toBeGreaterThan(100);
  expect(found(/\b(font(-size)?|line-height):[^;]*\dpx[^;]*;/g)).toEqual([]);
});

test('[LOOK-15] no text is slanted: there is no italic font, and a browser would slant the upright one', () => {
  expect(found(/\bfont(-style)?:[^;]*(italic|oblique)[^;]*;/g)).toEqual([]);
});
