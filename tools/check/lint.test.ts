import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** [the rule that must refuse it, the file, its code]. */
const FORBIDDEN: [rule: string, file: string, code: string][] = [
  ['no-floating-promises', 'server/src/a.ts', 'async function f() {}\nexport function g() { f(); }'],
  [
    'no-misused-promises',
    'server/src/b.ts',
    'async function f() {}\nexport const g = () => [1].forEach(async () => { await f(); });',
  ],
  [
    'no-misused-promises',
    'server/src/c.ts',
    'async function f() { return true; }\nexport const g = () => (f() ? 1 : 2);',
  ],
  ['await-thenable', 'server/src/d.ts', 'export async function f(x: number) { await x; }'],
  ['no-unsafe-member-access', 'server/src/e.ts', 'export const f = (x: string) => JSON.parse(x).y === 1;'],
  ['consistent-type-imports', 'server/src/f.ts', "export type F = import('node:fs').Stats;"],
  ['no-restricted-properties', 'server/src/http/a.ts', 'export const key = process.env.KEY;'],
  ['no-restricted-properties', 'server/src/http/b.ts', 'export const { env } = process;'],
  [
    'no-restricted-imports',
    'server/src/http/c.ts',
    "import { env } from 'node:process';\nexport const key = env.KEY;",
  ],
  ['no-restricted-globals', 'web/src/chat/a.ts', "export const f = () => fetch('/x');"],
  ['no-restricted-globals', 'web/src/visitor/a.ts', "export const f = () => new WebSocket('/x');"],
  ['no-restricted-properties', 'web/src/ui/a.ts', "export const f = () => window.fetch('/x');"],
  ['no-restricted-globals', 'web/src/chat/model/conversation.ts', 'export const f = () => Date.now();'],
  [
    'no-restricted-imports',
    'e2e/product/a.spec.ts',
    "import { test } from '@playwright/test';\ntest('x', () => {});",
  ],
];

const ALLOWED: [file: string, code: string][] = [
  ['server/src/config/config.ts', 'export const key = process.env.KEY;'],
  ['server/src/http/a.test.ts', 'export const key = process.env.KEY;'],
  ['bin/a.ts', 'export const key = process.env.KEY;'],
  ['e2e/product/b.spec.ts', "import type { Page } from '@playwright/test';\nexport type P = Page;"],
  ['web/src/net/a.ts', "export const f = () => fetch('/x');\nexport const g = () => new WebSocket('/x');"],
];

const tree = mkdtempSync(join(tmpdir(), 'settee-lint-'));
let found: { file: string; rule: string }[] = [];

beforeAll(() => {
  for (const name of ['.oxlintrc.json', 'tsconfig.json']) copyFileSync(join(ROOT, name), join(tree, name));
  for (const [file, code] of [...FORBIDDEN.map(([, file, code]) => [file, code] as const), ...ALLOWED]) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    writeFileSync(join(tree, file), `${code}\n`);
  }
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format=unix', 'server', 'web', 'bin', 'e2e'], {
    cwd: tree,
    encoding: 'utf8',
  });
  found = [...stdout.matchAll(/^([^:]+):\d+:\d+: .*\((?<rule>[a-z-]+)\)\]$/gm)].map(
    ([, file = '', rule = '']) => ({ file, rule }),
  );
}, 180_000);

afterAll(() => rmSync(tree, { recursive: true, force: true }));

function refusalsOf(file: string): string[] {
  return found.filter((each) => each.file === file).map(({ rule }) => rule);
}

describe('planted code', () => {
  test.each(FORBIDDEN)('%s refuses %s: %s', (rule, file) => {
    expect(refusalsOf(file)).toContain(rule);
  });

  test.each(ALLOWED)('%s may contain %s', (file) => {
    expect(refusalsOf(file)).toEqual([]);
  });
});
