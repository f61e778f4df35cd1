import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

function provedIds(): Set<string> {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter(
      (file) =>
        /\.(test|spec)\.tsx?$/.test(file) ||
        file.endsWith('.contract.ts') ||
        /^(tools\/(ops|containers|chart|upgrade)|e2e\/(cells|guarantees|simulation))\//.test(file),
    );
  const ids = new Set<string>();
  for (const file of files) {
    for (const [, id] of readFileSync(join(root, file), 'utf8').matchAll(/\[([A-Z][A-Z0-9]*-\d+)\]/g))
      ids.add(id ?? '');
  }
  return ids;
}

test('every line of docs/behaviour.md has its own id and is proved by a test, and every proved id is described there', () => {
  const page = readFileSync(join(root, 'docs/behaviour.md'), 'utf8');
  const lines = [...page.matchAll(/^- \*\*([A-Z][A-Z0-9]*-\d+)\*\*/gm)].map(([, id]) => id ?? '');
  const described = new Set(lines);
  expect(lines.filter((id, at) => lines.indexOf(id) !== at)).toEqual([]);
  const proved = provedIds();
  expect([...described].filter((id) => !proved.has(id))).toEqual([]);
  expect([...proved].filter((id) => !described.has(id))).toEqual([]);
});
