// The worked examples of docs/examples: what they say to change, and the doing of it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** One fenced block with a path: a change of that file, or a new one. */
export type Block = {
  path: string;
  kind: 'change' | 'new';
  text: string;
  /** For a part of the tree that this checkout may not have. */
  optional: boolean;
};

const FENCE = /^```(\S+) (\S+\/\S+|\S+\.md)( optional)?\n([\s\S]*?)^```$/gm;
/** Between two places of one file. */
const HUNK = /^@@$/m;
/** A line of context that is cut short in the document. */
const CUT = '…';

export function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(FENCE)].map(([, language, path = '', optional, text = '']) => ({
    path,
    kind: language === 'diff' ? 'change' : 'new',
    text,
    optional: optional !== undefined,
  }));
}

/** The commands of the document's last shell block, each as its words. */
export function commandsOf(markdown: string): string[][] {
  const [, script = ''] = /## Run it\n[\s\S]*?```sh\n([\s\S]*?)```/.exec(markdown) ?? [];
  return script
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
}

/** Does to a checkout what the block says. What it refers to must be there, once. */
export function applyBlock(root: string, block: Block): void {
  const file = join(root, block.path);
  if (block.kind === 'new') {
    if (existsSync(file)) throw new Error(`${block.path} is there already`);
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
      // Context as the file has it: in the document it may be cut.
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
