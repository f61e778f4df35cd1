import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { fullSize } from '../fullSize.ts';
import { applyBlock, blocksOf, commandsOf } from './examples.ts';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = ['add-a-field', 'add-a-frame', 'add-a-screen'];
const VERSION_TEST = 'protocol/src/frames/version.test.ts';
/** Most of it is compiling. */
const SLOW_MS = 400_000;

const copy = mkdtempSync(join(tmpdir(), 'settee-examples-'));
afterAll(() => rmSync(copy, { recursive: true }));

/** Copies the checkout with uncommitted changes. The copy shares the dependencies but has its own workspaces. */
function copyCheckout(): void {
  const list = ['ls-files', '-co', '--exclude-standard', '-z'];
  const files = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((name) => name !== '')) {
    cpSync(join(ROOT, file), join(copy, file), { recursive: true, force: true });
  }
  const modules = join(copy, 'node_modules');
  mkdirSync(join(modules, '@settee'), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '@settee') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  for (const name of readdirSync(join(ROOT, 'node_modules/@settee'))) {
    symlinkSync(join(copy, name), join(modules, '@settee', name));
  }
  // Some checks list the files with git.
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
}

/** Runs a program in the copy, with the engines of this test run. */
function run(program: string, args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin', program), args, {
    cwd: copy,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...inject('engines'),
      NO_COLOR: '1',
      PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    },
  });
  return { status, output: stdout + stderr };
}

/** Like a reader of the example: takes the hash of the protocol from the failed test and puts it into SETTLED. */
function settleHash(): void {
  const { output } = run('vitest', ['run', '--project', 'unit', VERSION_TEST]);
  const before = /-\s+"hash": "([0-9a-f]{16})"/.exec(output)?.[1];
  const after = /\+\s+"hash": "([0-9a-f]{16})"/.exec(output)?.[1];
  if (before === undefined || after === undefined) throw new Error(`the protocol did not change:\n${output}`);
  const file = join(copy, VERSION_TEST);
  writeFileSync(file, readFileSync(file, 'utf8').replace(before, after));
}

test(`the examples apply to the code and compile${fullSize('', ' and pass their tests')}`, {
  timeout: SLOW_MS,
}, () => {
  copyCheckout();
  const commands: string[][] = [];
  for (const name of EXAMPLES) {
    const page = readFileSync(join(ROOT, 'docs/examples', `${name}.md`), 'utf8');
    const blocks = blocksOf(page);
    expect(blocks.length).toBeGreaterThan(9);
    for (const block of blocks) applyBlock(copy, block);
    commands.push(...commandsOf(page));
  }
  settleHash();
  const types = run('tsc', ['--noEmit', '-p', '.']);
  expect(types.output).toBe('');
  expect(types.status).toBe(0);

  // One run per kind for all examples, because starting takes longer than testing.
  for (const kind of fullSize([], ['unit', 'int'])) {
    const own = commands.filter((args) => args[4] === kind);
    expect(own.length).toBe(EXAMPLES.length);
    const files = own.flatMap((args) => args.filter((arg) => /\.test\.tsx?$/.test(arg)));
    const names = kind === 'int' ? ['-t', '[A-Z]+-90[123]'] : [];
    const tests = run('vitest', ['run', '--project', kind, ...new Set(files), ...names]);
    expect(tests.output).toMatch(/Tests .*passed/);
    expect(tests.status, tests.output).toBe(0);
    if (kind === 'int') expect(tests.output).toMatch(/Test Files {2}3 passed/);
  }
});
