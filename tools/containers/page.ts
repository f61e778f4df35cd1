import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const INSTALL = 'docs/install.md';

function section(checkout: string, page: string, heading: string): string {
  return readFileSync(join(checkout, page), 'utf8').split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

/** The lines of a shell block under a heading of a page, the first block that contains `text`. */
export function pageLines(checkout: string, page: string, heading: string, text: string): string[] {
  const blocks = section(checkout, page, heading).matchAll(/```sh\n([\s\S]*?)```/g);
  const found = Array.from(blocks, ([, block = '']) => block).find((block) => block.includes(text));
  if (found === undefined) throw new Error(`${page} has no block with "${text}" under ${heading}.`);
  return found.trim().split('\n');
}

/** The commands in a row of a table under a heading. */
export function pageRow(checkout: string, page: string, heading: string, row: string): string[] {
  return pageCode(checkout, page, heading, `| ${row} |`);
}

/** Everything between backticks, in the first line under a heading that contains `text`. */
export function pageCode(checkout: string, page: string, heading: string, text: string): string[] {
  const lines = section(checkout, page, heading).split('\n');
  const line = lines.find((each) => each.includes(text));
  if (line === undefined) throw new Error(`${page} has no line with "${text}" under ${heading}.`);
  return Array.from(line.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
}
