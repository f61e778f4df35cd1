// A handler at one gateway and a visitor at the other, over the wire.
import { randomUUID } from 'node:crypto';
import { Browser } from '../../e2e/proof/world.ts';
import { LiveClient } from '../../server/test/client.ts';
import type { Installed } from './installed.ts';

const SECONDS_MS = 20_000;
const EMAIL = 'handler@settee.example';

export type Chat = { handler: Browser; visitor: Browser; conversationId: string; invite: string };

type Where = {
  installed: Installed;
  environment: Record<string, string>;
  origin: string;
  ports: readonly [number, number];
};

/** Made as an operator would, by the installed command line; opened as a browser would. */
export async function openChat({ installed, environment, origin, ports }: Where): Promise<Chat> {
  const password = randomUUID();
  const cli = (args: string[], input?: string): string => {
    const { status, out, err } = installed.run(['server/src/cli.ts', ...args], environment, input);
    if (status !== 0) throw new Error(`settee ${args.join(' ')} ended with ${status}: ${err}`);
    return out.trim();
  };
  cli(['handler', 'create', '--alias', 'east', '--email', EMAIL, '--password-stdin'], `${password}\n`);
  const invite = cli(['invite', 'create', '--alias', 'east']).split('/').at(-1) ?? '';
  const handler = new Browser(origin, ports[0]);
  await handler.call('/auth/staff/sign-in', { email: EMAIL, password });
  const visitor = new Browser(origin, ports[1]);
  await visitor.call('/auth/anonymous');
  const { conversationId } = await visitor.call('/claimInvite', { token: invite, csrf: String(Date.now()) });
  // A claim replaces the browser's secret.
  await visitor.call('/auth/anonymous');
  return { handler, visitor, conversationId: String(conversationId), invite };
}

/** A word each way, from gateway to gateway. */
export async function talk(chat: Chat, origin: string, ports: readonly [number, number]): Promise<void> {
  const { conversationId } = chat;
  const at = (port: number, token: string): Promise<LiveClient> =>
    LiveClient.open(`http://127.0.0.1:${port}`, origin, token);
  const sides = await Promise.all([at(ports[0], chat.handler.token), at(ports[1], chat.visitor.token)]);
  try {
    for (const side of sides) side.say({ type: 'watch', conversationId });
    await Promise.all(sides.map((side) => side.next('watched', undefined, SECONDS_MS)));
    for (const [from, to] of [sides, sides.toReversed()]) {
      const [id, text] = [randomUUID(), `a word ${randomUUID()}`];
      from?.say({ type: 'send', conversationId, id, text });
      await from?.next('ack', (ack) => ack.id === id, SECONDS_MS);
      await to?.next('message', ({ message }) => message.text === text, SECONDS_MS);
    }
  } finally {
    for (const side of sides) side.close();
  }
}
