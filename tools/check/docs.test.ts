import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pages as sitePages } from '../site/pages.ts';
import { git, problemsOf, readRepository, root } from './docs/problems.ts';

const repository = readRepository();
const pages = git('ls-files', '-co', '--exclude-standard', '*.md').filter((path) =>
  repository.files.includes(path),
);

test('every command, option, path, link, call, setting, limit, symbol and test id in the documents exists', () => {
  expect(
    pages.flatMap((path) => problemsOf(repository, path, readFileSync(join(root, path), 'utf8'))),
  ).toEqual([]);
});

test.each([
  ['a heading', '[x](README.md#no-such-heading)'],
  ['a step of the check', '`npm run check -- --only nothing`'],
  ['an option in a block', '```sh\nnpm ci && npm run settee -- invite create --nothing 1\n```'],
  ['a file', '`server/src/nothing.ts`'],
  ['a call', '`GET /nothing/{id}`'],
  ['a setting', '`NOTHING_AT_ALL`'],
  ['a limit', '| messages at once | 61 | `server/src/platform/config/config.ts` `SEND_BURST` |'],
])('%s that does not exist is found', (_what, markdown) => {
  expect(problemsOf(repository, 'page.md', markdown)).toHaveLength(1);
});

const WORDS_AT_MOST = 12_000;

test.each(['compose', 'machines', 'kubernetes'])('an operator reads little to run Settee with %s', (way) => {
  const names = ['install', `install-${way}`, 'operate', 'backup', 'upgrade', 'troubleshooting'];
  const texts = names.map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'));
  expect(texts.join('\n').trim().split(/\s+/).length).toBeLessThanOrEqual(WORDS_AT_MOST);
});

test('every claim about accessibility names a test', () => {
  const rows = readFileSync(join(root, 'docs/accessibility.md'), 'utf8').match(/^\| \d\.\d.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => !/`[\w./-]+\.(?:test|spec)\.tsx?`/.test(row))).toEqual([]);
});

test('the site has every document, once, and the sidebar lists it', () => {
  const documents = pages.filter((path) => path.startsWith('docs/'));
  expect(documents.filter((path) => !sitePages.has(path))).toEqual([]);
  expect(new Set(sitePages.values()).size).toBe(sitePages.size);
});
