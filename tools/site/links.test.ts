import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { brokenLinks } from './links.ts';

const folder = mkdtempSync(join(tmpdir(), 'settee-site-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(files: Record<string, string>): void {
  for (const [file, html] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), html);
  }
}

test('a link of the site to a missing page, picture or heading is found', () => {
  const right =
    '<h2 id="two">2</h2><a href="#two"></a><a href="./more/b.html#three"></a><a href="https://example.org/x#y"></a>';
  write({ 'a.html': right, 'more/b.html': '<h2 id="three">3</h2><a href="../a.html"></a>' });
  expect(brokenLinks(folder)).toEqual({ pages: 2, links: 3, broken: [] });

  write({
    'a.html': `${right}<a href="./gone.html"></a><img src="./gone.webp"><a href="#gone"></a><a href="./more/b.html#gone"></a>`,
  });
  expect(brokenLinks(folder).broken).toEqual([
    'a.html links to ./gone.html, which does not exist',
    'a.html links to #gone, but that page has no such heading',
    'a.html links to ./more/b.html#gone, but that page has no such heading',
    'a.html links to ./gone.webp, which does not exist',
  ]);
});
