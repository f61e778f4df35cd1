import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf } from './examples.ts';

const root = join(import.meta.dirname, '../..');
const examples = readdirSync(join(root, 'docs/examples')).map((name) => `docs/examples/${name}`);
const documents = ['docs/tour.md', ...examples];

const LINK = /\[([^\]]+)\]\(([^)#:]+)\)/g;
const SYMBOL = /^`([A-Za-z_]\w*)`$/;
const PROMISE = /^[A-Z]+-\d+$/;
/** A path in prose: of a folder of ours, with an ending. */
const PATH = /`((?:protocol|server|web|e2e|bench|bin|docs)\/[\w./-]+\.\w+)`/g;

/** Without its fenced blocks: those of the examples are tried by examples.int.test.ts. */
function proseOf(document: string): string {
  return readFileSync(join(root, document), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
}

function declares(text: string, name: string): boolean {
  return new RegExp(`(?:function|class|const|let|type|interface)\\s+${name}\\b`).test(text);
}

function problemsOf(document: string, prose: string): string[] {
  const problems: string[] = [];
  for (const [, said = '', target = ''] of prose.matchAll(LINK)) {
    const file = resolve(root, dirname(document), target);
    if (!existsSync(file)) {
      problems.push(`${target}: there is no such file`);
      continue;
    }
    const symbol = SYMBOL.exec(said)?.[1];
    if (symbol !== undefined && !declares(readFileSync(file, 'utf8'), symbol))
      problems.push(`${target} does not declare ${symbol}`);
    if (PROMISE.test(said) && !readFileSync(file, 'utf8').includes(`[${said}]`))
      problems.push(`${target} has no test of ${said}`);
  }
  for (const [, path = ''] of prose.matchAll(PATH)) {
    if (!existsSync(join(root, path))) problems.push(`${path}: there is no such file`);
  }
  return problems;
}

test.each(documents)('%s names only files, names and tests that are there', (document) => {
  expect(problemsOf(document, proseOf(document))).toEqual([]);
});

test('the tour leads along the whole way, and its checker sees what is wrong', () => {
  const prose = proseOf('docs/tour.md');
  const named = [...prose.matchAll(LINK)].filter(([, said = '']) => SYMBOL.test(said));
  const proved = [...prose.matchAll(LINK)].filter(([, said = '']) => PROMISE.test(said));
  expect(named.length).toBeGreaterThan(20);
  expect(proved.length).toBeGreaterThan(15);
  expect(
    problemsOf(
      'docs/tour.md',
      '[`Nobody`](../server/src/access.ts) [P-02](../server/test/append.int.test.ts) [x](../no.ts) `bin/no.ts`',
    ),
  ).toHaveLength(4);
});

test('every example has its migration, matrix line or page, its promise and its line in the changelog', () => {
  for (const document of examples) {
    const paths = blocksOf(readFileSync(join(root, document), 'utf8')).map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['docs/behaviour.md', 'CHANGELOG.md']));
    expect(paths.some((path) => path.endsWith('.int.test.ts'))).toBe(true);
  }
});
