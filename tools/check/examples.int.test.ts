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
    expect(blocks.length).toBeGreaterThan(5);
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
type Block = { path: string; kind: 'change' | 'new'; text: string };

const FENCE = /^```(\S+) (\S+\/\S+|\S+\.md)\n([\s\S]*?)^```$/gm;
/** Separates two changes of one file. After it, the beginning of a line further up can stand. */
const HUNK = /^@@(.*)$/m;
/** The end of a quoted line that the document shortens. */
const CUT = '…';

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map(([, language, path = '', text = '']) => ({
    path,
    kind: language === 'diff' ? 'change' : 'new',
    text,
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

/** Applies the block to a checkout. */
function applyBlock(root: string, block: Block): void {
  const file = join(root, block.path);
  if (block.kind === 'new') {
    if (existsSync(file)) throw new Error(`${block.path} already exists`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, block.text);
    return;
  }
  let lines = readFileSync(file, 'utf8').split('\n');
  const parts = ['', ...block.text.split(HUNK)];
  for (let at = 0; at < parts.length; at += 2) {
    const hunk = parts[at + 1]?.replace(/^\n|\n$/g, '').split('\n') ?? [];
    if (hunk.join('') !== '') lines = changed(lines, parts[at]?.trim() ?? '', hunk, block.path);
  }
  writeFileSync(file, lines.join('\n'));
}

/**
 * Adds the new lines beside the line that the hunk quotes. One line is enough to find the place, so a change of the code
 * breaks an example only if it edits this line. It must be the only one, or the first below `heading`.
 */
function changed(lines: readonly string[], heading: string, hunk: readonly string[], path: string): string[] {
  const fail = (why: string) => new Error(`${path}: ${why}:\n${hunk.join('\n')}`);
  const quotes = hunk.filter((line) => !line.startsWith('+'));
  const [quote = ''] = quotes;
  if (quotes.length !== 1 || !quote.startsWith(' ')) throw fail('quote one line, and only add others');
  const tops = heading === '' ? [0] : placesOf(lines, (line) => line.trimStart().startsWith(heading));
  const places = placesOf(lines, (line) => isSame(line, quote.slice(1))).filter((at) => at >= (tops[0] ?? 0));
  const [place] = places;
  if (tops.length !== 1) throw fail(`found ${tops.length} lines that begin with ${heading}, not one`);
  if (place === undefined || (heading === '' && places.length > 1))
    throw fail(`found the quoted line ${places.length} times, not once`);
  // The line from the file, because the document may shorten it.
  const made = hunk.map((line) => (line.startsWith('+') ? line.slice(1) : (lines[place] ?? '')));
  return lines.toSpliced(place, 1, ...made);
}

function placesOf(lines: readonly string[], fits: (line: string) => boolean): number[] {
  return [...lines.keys()].filter((at) => fits(lines[at] ?? ''));
}

function isSame(line: string, text: string): boolean {
  return text.endsWith(CUT) ? line.startsWith(text.slice(0, -CUT.length).trimEnd()) : line === text;
}
