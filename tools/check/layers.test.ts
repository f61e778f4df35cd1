// dependency-cruiser enforces the layers. These tests find rules that no longer fit the code, and what it cannot express.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const ROOT_FILES_MAX = 8;

type Rule = { name: string; comment: string; from: Side; to: Side };
type Side = { path?: string | string[] };

test('each import rule is about files that exist, and says where the code belongs', async () => {
  const { default: layers } = (await import(`${ROOT.href}.dependency-cruiser.mjs`)) as {
    default: { forbidden: Rule[] };
  };
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const isOurs = (path: string): boolean => !path.includes('node_modules');
  for (const { name, comment, from, to } of layers.forbidden) {
    expect(comment, name).toMatch(/:/);
    for (const { path = [] } of [from, to])
      for (const each of [path].flat().filter(isOurs)) expect(files, name).toMatch(new RegExp(each, 'm'));
  }
});

test('the root of server/src stays small', () => {
  const files = globSync('server/src/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  expect(files.length, 'move it to a folder').toBeLessThanOrEqual(ROOT_FILES_MAX);
});

test('http imports queries from db, and nothing that writes', () => {
  expect(writersIn("import { readQueue, type Row, saveReply } from '../db/queue.ts';")).toEqual([
    'saveReply',
  ]);
  const files = globSync('server/src/http/*.ts', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(20);
  const writers = files.flatMap((file) => writersIn(readFileSync(new URL(file, ROOT), 'utf8')));
  expect(writers, 'call an action instead').toEqual([]);
});

/** Names that are imported from db and are neither a type nor a query by their verb. */
function writersIn(source: string): string[] {
  return [...source.matchAll(/import (?:type )?{([^}]*)} from '\.\.\/db\//g)]
    .filter(([statement]) => !statement.startsWith('import type'))
    .flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
    .filter((name) => name !== '' && !/^(?:type |(?:read|find|list|count|has|is)[A-Z])/.test(name));
}
