import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { loadOf } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'settee-load-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function plant(files: Record<string, string | Buffer>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), content);
  }
}

test('what a page loads at first and later is found from the page and the manifest', () => {
  const font = randomBytes(500);
  plant({
    'chat.html': `<html><head><script src="/theme.js"></script><script>const theme = 1;</script>
      <script type="module" crossorigin src="/assets/chat-AAAAAAAA.js"></script>
      <style data-file="/assets/chat-BBBBBBBB.css">@font-face { src: url(/x.woff2) }</style>
      <link rel="canonical" href="https://elsewhere.example/x.js"></head></html>`,
    'theme.js': 'document.title = "theme";',
    'assets/chat-AAAAAAAA.js': 'import "./shared.js"; import("./menu.js")',
    'assets/shared-CCCCCCCC.js': 'export const shared = 1;',
    'assets/menu-DDDDDDDD.js': 'export const menu = 1;',
    'assets/menu-EEEEEEEE.css': '.menu { color: red }',
    'assets/other-FFFFFFFF.js': 'export const other = 1;',
    'assets/chat-BBBBBBBB.css': `@font-face { src: url(/assets/serif-GGGGGGGG.woff2) }
      @font-face { src: url(/assets/rare-HHHHHHHH.woff2); unicode-range: U+0100-02FF }`,
    'assets/rare-HHHHHHHH.woff2': font,
    'assets/serif-GGGGGGGG.woff2': font,
    '.vite/chat.json': JSON.stringify({
      'chat.html': {
        file: 'assets/chat-AAAAAAAA.js',
        imports: ['_shared.js'],
        dynamicImports: ['menu.ts'],
        css: ['assets/chat-BBBBBBBB.css'],
      },
      '_shared.js': { file: 'assets/shared-CCCCCCCC.js' },
      'menu.ts': {
        file: 'assets/menu-DDDDDDDD.js',
        imports: ['_shared.js'],
        css: ['assets/menu-EEEEEEEE.css'],
      },
      'other.html': { file: 'assets/other-FFFFFFFF.js' },
    }),
  });
  const { first, later } = loadOf(folder, 'chat.html');
  expect(first.map(({ name, kind }) => `${kind} ${name}`).toSorted()).toEqual([
    'font serif.woff2',
    'script chat.js',
    'script inside chat.html',
    'script shared.js',
    'script theme.js',
    'style chat.css',
  ]);
  expect(later.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    'font rare.woff2',
    'script menu.js',
    'style menu.css',
  ]);
  const bytes = Object.fromEntries(first.map(({ name, bytes }) => [name, bytes]));
  expect(bytes['serif.woff2']).toBe(font.length);
  expect(bytes['shared.js']).toBe(gzipSync('export const shared = 1;').length);
});
