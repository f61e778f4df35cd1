// Reads the examples of docs/examples and applies them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A fenced block with a path: a change of that file, or a new file. */
export type Block = {
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

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map(([, language, path = '', optional, text = '']) => ({
    path,
    kind: language === 'diff' ? 'change' : 'new',
    text,
    optional: optional !== undefined,
  }));
}

/** The commands of the document's last shell block, each split into arguments. */
export function commandsOf(markdown: string): string[][] {
  const [, script = ''] = /## Run it\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(markdown) ?? [];
  return script
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
}

/** Applies the block to a checkout. Its context must occur exactly once. */
export function applyBlock(root: string, block: Block): void {
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
