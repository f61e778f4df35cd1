import { type FirstChat, firstChat, Visitors } from '../../e2e/containers/firstChat.ts';
import { INSTALL, pageLines } from './page.ts';
import type { Server } from './server.ts';

/** Browsers that trust the certificate that the command of the guide prints. */
export function visitorsOfCompose(checkout: string, server: Server): Promise<Visitors> {
  const certificate = server.inClone(pageLines(checkout, INSTALL, 'Compose', 'root.crt').join('\n'));
  return Visitors.open(server.address, 'https://localhost', certificate);
}

/** From the setup code to the first answered message. Prints the time since the first command of the operator. */
export async function firstMessage(visitors: Visitors, code: string, began: number): Promise<FirstChat> {
  const chat = await firstChat(visitors, code);
  const minutes = (performance.now() - began) / 60_000;
  console.log(`  from nothing to the first answered message: ${minutes.toFixed(1)} minutes`);
  return chat;
}
