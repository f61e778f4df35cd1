// The lines of the guides, and the first chat after them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FirstChat, firstChat, Visitors } from '../../e2e/containers/firstChat.ts';
import type { Server } from './server.ts';

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

/** Browsers that trust the certificate that the command of the guide prints. */
export async function visitorsOfCompose(checkout: string, server: Server): Promise<Visitors> {
  const certificate = server.inClone(pageLines(checkout, INSTALL, 'Compose', 'root.crt').join('\n'));
  return Visitors.open(await server.forward(443), certificate);
}

/** From the setup code to the first answered message. Prints the time since the first command of the operator. */
export async function firstMessage(visitors: Visitors, code: string, began: number): Promise<FirstChat> {
  const chat = await firstChat(visitors, code);
  const minutes = (performance.now() - began) / 60_000;
  console.log(`  from nothing to the first answered message: ${minutes.toFixed(1)} minutes`);
  return chat;
}
