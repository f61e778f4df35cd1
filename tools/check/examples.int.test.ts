import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { copyCheckout } from '../../e2e/proof/patch.ts';
import { fullSize } from '../fullSize.ts';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLES = ['add-a-field', 'add-a-conversation-field', 'add-a-frame', 'add-a-screen'];
/** Most of it is compiling. */
const SLOW_MS = 400_000;

const copy = mkdtempSync(join(tmpdir(), 'settee-examples-'));
afterAll(() => rmSync(copy, { recursive: true }));

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

test(`the examples apply to the code${fullSize('', ', compile and pass their tests')}`, {
  timeout: SLOW_MS,
}, () => {
  copyCheckout(ROOT, copy);
  // Some checks list the files with git.
  execFileSync('git', ['init', '--quiet'], { cwd: copy });
  const commands: string[][] = [];
  for (const name of EXAMPLES) {
    const page = readFileSync(join(ROOT, 'docs/examples', `${name}.md`), 'utf8');
    const blocks = blocksOf(page);
    expect(blocks.length).toBeGreaterThan(9);
    for (const block of blocks) applyBlock(copy, block);
    commands.push(...commandsOf(page));
  }
  if (fullSize(true, false)) return;
  // Like a reader of the examples: writes the list of calls and the hash of the wire format.
  run('node', ['bin/api.ts']);
  const types = run('tsc', ['--noEmit', '-p', '.']);
  expect(types.output).toBe('');
  expect(types.status).toBe(0);

  // One run per kind for all examples, because starting takes longer than testing.
  for (const kind of ['unit', 'int']) {
    const own = commands.filter((args) => args[4] === kind);
    expect(own.length).toBe(EXAMPLES.length);
    const files = own.flatMap((args) => args.filter((arg) => /\.test\.tsx?$/.test(arg)));
    const names = kind === 'int' ? ['-t', '[A-Z]+-90[1-4]'] : [];
    const tests = run('vitest', ['run', '--project', kind, ...new Set(files), ...names]);
    expect(tests.output).toMatch(/Tests .*passed/);
    expect(tests.status, tests.output).toBe(0);
    if (kind === 'int') expect(tests.output).toMatch(/Test Files {2}4 passed/);
  }
});

/** A fenced block with a path: a change of that file, or a new file. */
type Block = {
  path: string;
  kind: 'change' | 'new';
  text: string;
  /** This checkout may lack the file. */
  optional: boolean;
};

const FENCE = /^```(\S+) (\S+\/\S+|\S+\.md)( optional)?\n([\s\S]*?)^```$/gm;
/** Separates two changes of one file. */
const HUNK = /^@@$/m;
/** The end of a context line that the document shortens. */
const CUT = '…';

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map(([, language, path = '', optional, text = '']) => ({
    path,
    kind: language === 'diff' ? 'change' : 'new',
    text,
    optional: optional !== undefined,
  }));
}

/** The commands of the document's last shell block, each split into arguments. */
function commandsOf(markdown: string): string[][] {
  const [, script = ''] = /## Run it\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(markdown) ?? [];
  return script
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
}

/** Applies the block to a checkout. Its context must occur exactly once. */
function applyBlock(root: string, block: Block): void {
  const file = join(root, block.path);
  if (block.kind === 'new') {
    if (existsSync(file)) throw new Error(`${block.path} already exists`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, block.text);
    return;
  }
  if (block.optional && !existsSync(file)) return;
  let lines = readFileSync(file, 'utf8').split('\n');
  for (const hunk of block.text.split(HUNK)) lines = changed(lines, hunk, block.path);
  writeFileSync(file, lines.join('\n'));
}

function changed(lines: readonly string[], hunk: string, path: string): string[] {
  const steps = hunk
    .replace(/^\n|\n$/g, '')
    .split('\n')
    .map((line) => ({ sign: line[0] ?? ' ', text: line.slice(1) }));
  const old = steps.filter(({ sign }) => sign !== '+');
  const fits = (at: number): boolean => old.every(({ text }, index) => isSame(lines[at + index], text));
  const places = [...lines.keys()].filter(fits);
  const [at] = places;
  if (at === undefined || places.length > 1) {
    throw new Error(`${path}: found ${places.length} times, not once:\n${hunk}`);
  }
  let next = at;
  const made: string[] = [];
  for (const { sign, text } of steps) {
    if (sign === '+') made.push(text);
    else {
      // The line from the file, because the document may shorten it.
      if (sign === ' ') made.push(lines[next] ?? '');
      next += 1;
    }
  }
  return [...lines.slice(0, at), ...made, ...lines.slice(next)];
}

function isSame(line: string | undefined, text: string): boolean {
  if (line === undefined) return false;
  return text.endsWith(CUT) ? line.startsWith(text.slice(0, -CUT.length).trimEnd()) : line === text;
}
