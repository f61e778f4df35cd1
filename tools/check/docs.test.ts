import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { problemsOf } from './docs/problems.ts';
import { git, readRepository, root } from './docs/repository.ts';

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
  ['a link', '[x](docs/missing.md)'],
  ['a heading', '[x](README.md#no-such-heading)'],
  ['a script', '`npm run nothing`'],
  ['a step of the check', '`npm run check -- --only nothing`'],
  ['a command', '`settee nothing`'],
  ['an option', '`npm run settee -- invite create --nothing 1`'],
  ['a command in a block', '```sh\nnpm ci && npm run nothing\n```'],
  ['a file', '`server/src/nothing.ts`'],
  ['a Node that may be older', '`node server/src/main.ts`'],
  ['the end of a path', '`actions/nothing.ts`'],
  ['a folder', '`web/src/nothing`'],
  ['a call', '`GET /nothing/{id}`'],
  ['a setting', '`NOTHING_AT_ALL`'],
  ['a limit', '| messages at once | 61 | `server/src/config/config.ts` `SEND_BURST` |'],
  ['a symbol', '[`Nobody`](server/src/access.ts)'],
  // Split, because behaviour.test.ts would count it as a test of that id.
  ['a test id', `[P-${9999}](server/test/append.int.test.ts)`],
  ['a proof', '| 2.1.1 | x | `e2e/product/chat.spec.ts` V-9999 |'],
])('%s that does not exist is found', (_what, markdown) => {
  expect(problemsOf(repository, 'page.md', markdown)).toHaveLength(1);
});

test('every claim about accessibility names a test', () => {
  const rows = readFileSync(join(root, 'docs/accessibility.md'), 'utf8').match(/^\| \d\.\d.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(10);
  expect(rows.filter((row) => !/`[\w./-]+\.(?:test|spec)\.tsx?`/.test(row))).toEqual([]);
});
