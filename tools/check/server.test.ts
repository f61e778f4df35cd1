import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const ROOT_FILES_MAX = 8;

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
