import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** What the table's rows name as proof: a file, and ids that stand in titles of its tests. */
function claims(markdown: string): { row: string; proofs: { file: string; ids: string[] }[] }[] {
  return markdown
    .split('\n')
    .filter((line) => /^\| \d\.\d/.test(line))
    .map((line) => {
      const [row = '', , proof = ''] = line.split('|').slice(1);
      const proofs = [...proof.matchAll(/`([^`]+)`((?:\s+[A-Z]+-\d+)+)/g)].map(([, file = '', ids = '']) => ({
        file,
        ids: ids.trim().split(/\s+/),
      }));
      return { row: row.trim(), proofs };
    });
}

function missing(markdown: string): string[] {
  return claims(markdown).flatMap(({ row, proofs }) => {
    if (proofs.length === 0) return [`${row} has no proof`];
    return proofs.flatMap(({ file, ids }) => {
      if (!existsSync(join(root, file))) return [`${row}: there is no ${file}`];
      const source = readFileSync(join(root, file), 'utf8');
      return ids
        .filter((id) => !new RegExp(`test\\(\\s*['\`"][^'\`"]*\\[${id}\\]`).test(source))
        .map((id) => `${row}: no test of ${file} is titled ${id}`);
    });
  });
}

test('every claim about accessibility names a test that there is', () => {
  const page = readFileSync(join(root, 'docs/accessibility.md'), 'utf8');
  expect(claims(page).length).toBeGreaterThan(10);
  expect(missing(page)).toEqual([]);
});

test('a claim without a test is found', () => {
  expect(
    missing(
      '| 2.1.1 | x | `e2e/product/more.spec.ts` OPEN-999 |\n| 1.4.1 | y | trust us |\n| 1.1.1 | z | `no.ts` V-1 |',
    ),
  ).toEqual([
    '2.1.1: no test of e2e/product/more.spec.ts is titled OPEN-999',
    '1.4.1 has no proof',
    '1.1.1: there is no no.ts',
  ]);
});
