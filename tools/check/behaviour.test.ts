import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { idsIn } from './counts.ts';
import { guaranteeIds } from './guarantees.ts';

const root = join(import.meta.dirname, '../..');

/** The starts of titles, also after the table of `test.each`, and of the lines that programs print. */
const TITLES = /(?<=^|[\s(])['"`](?:\[[A-Z][A-Z0-9]*-\d+\] ?)+/gm;

// The whole check compares the page with the tests that ran and passed.
test('every line of docs/behaviour.md has its own id, and every id in a title is described there', () => {
  const described = guaranteeIds(root);
  expect(described.filter((id, at) => described.indexOf(id) !== at)).toEqual([]);
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  const titles = files.flatMap((file) => readFileSync(join(root, file), 'utf8').match(TITLES) ?? []);
  expect(idsIn(titles).filter((id) => !described.includes(id))).toEqual([]);
});
