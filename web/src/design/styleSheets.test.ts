import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const src = join(import.meta.dirname, '..');
const sheets = globSync('**/*.css', { cwd: src }).map((path) => ({
  path,
  css: readFileSync(join(src, path), 'utf8'),
}));
const found = (pattern: RegExp) =>
  sheets.flatMap(({ path, css }) => [...css.matchAll(pattern)].map(([rule]) => `${path}: ${rule}`));

test("no text has a size in px: the browser's text size applies everywhere", () => {
  expect(sheets.length).toBeGreaterThan(100);
  expect(found(/\b(font(-size)?|line-height):[^;]*\dpx[^;]*;/g)).toEqual([]);
});

test('no text is slanted: there is no italic font, and a browser would slant the upright one', () => {
  expect(found(/\bfont(-style)?:[^;]*(italic|oblique)[^;]*;/g)).toEqual([]);
});

test('padding, margin and gap use the spacing tokens of tokens.css', () => {
  const tokens = sheets.find(({ path }) => path === 'design/tokens.css')?.css ?? '';
  const sizes = [...tokens.matchAll(/--space-(\d+): \1px;/g)].map(([, size]) => size);
  expect(sizes.length).toBeGreaterThan(10);
  const raw = `(?<![-\\w])(?:\\w+-)?(?:padding|margin|gap)[\\w-]*:[^;]*(?<![-.\\w])(?:${sizes.join('|')})px\\b[^;]*;`;
  expect(found(new RegExp(raw, 'g'))).toEqual([]);
});
