// The lines of the guides, and the first chat after them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FirstChat, firstChat, Visitors } from '../../e2e/containers/firstChat.ts';
import type { Server } from './server.ts';

export const COMPOSE_FILE = 'ops/compose.yaml';
export const COMPOSE_GUIDE = 'docs/install-compose.md';
export const MACHINES_GUIDE = 'docs/install-machines.md';

/** The lines of the first shell block of a page that contains `text`. */
export function pageLines(checkout: string, page: string, text: string): string[] {
  const blocks = readFileSync(join(checkout, page), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g);
  const found = Array.from(blocks, ([, block = '']) => block).find((block) => block.includes(text));
  if (found === undefined) throw new Error(`${page} has no block with "${text}".`);
  return found.trim().split('\n');
}

/** The commands in a row of a table. */
export function pageRow(checkout: string, page: string, row: string): string[] {
  return pageCode(checkout, page, `| ${row} |`);
}

/** Everything between backticks, in the first line of a page that contains `text`. */
export function pageCode(checkout: string, page: string, text: string): string[] {
  const lines = readFileSync(join(checkout, page), 'utf8').split('\n');
  const line = lines.find((each) => each.includes(text));
  if (line === undefined) throw new Error(`${page} has no line with "${text}".`);
  return Array.from(line.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
}

/** Browsers that trust the certificate that the command of the guide prints. */
export async function visitorsOfCompose(
  checkout: string,
  server: Server,
  file = COMPOSE_FILE,
): Promise<Visitors> {
  const lines = pageLines(checkout, COMPOSE_GUIDE, 'root.crt').join('\n');
  const certificate = server.inClone(lines.replace(COMPOSE_FILE, file));
  return Visitors.open(await server.forward(443), certificate);
}

/** From the setup code to the first answered message. Prints the time since the first command of the operator. */
export async function firstMessage(visitors: Visitors, code: string, began: number): Promise<FirstChat> {
  const chat = await firstChat(visitors, code);
  const minutes = (performance.now() - began) / 60_000;
  console.log(`  from nothing to the first answered message: ${minutes.toFixed(1)} minutes`);
  return chat;
}
