// A handler at one gateway and a visitor at the other.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Browser } from '../../e2e/proof/world/world.ts';
import { LiveClient } from '../../server/test/support/client.ts';

const TIMEOUT_MS = 60_000;
const EMAIL = 'handler@settee.example';

export type Chat = { handler: Browser; visitor: Browser; conversationId: string; invite: string };
/** Runs a command of settee to its end. */
export type Settee = (args: string[], input?: string) => { status: number | null; out: string; err: string };

/** The command line of the checkout. */
export const settee =
  (environment: Record<string, string>): Settee =>
  (args, input = '') => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['server/src/cli.ts', ...args], {
      ...{ encoding: 'utf8', input, env: { PATH: process.env.PATH, ...environment } },
      cwd: join(import.meta.dirname, '../..'),
    });
    return { status, out: stdout, err: stderr };
  };

/** Creates the handler and the invite with the command line. */
export async function openChat(run: Settee, origin: string, ports: readonly [number, number]): Promise<Chat> {
  const password = randomUUID();
  const cli = (args: string[], input?: string): string => {
    const { status, out, err } = run(args, input);
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
  // A claim replaces the secret in the cookie.
  await visitor.call('/auth/anonymous');
  return { handler, visitor, conversationId: String(conversationId), invite };
}

/** Sends a message each way. */
export async function talk(
  chat: Omit<Chat, 'invite'>,
  origin: string,
  ports: readonly [number, number],
): Promise<void> {
  const { conversationId } = chat;
  const open = (port: number, token: string) => LiveClient.open(`http://127.0.0.1:${port}`, origin, token);
  const sides = await Promise.all([open(ports[0], chat.handler.token), open(ports[1], chat.visitor.token)]);
  try {
    for (const side of sides) side.send({ type: 'watch', conversationId });
    await Promise.all(sides.map((side) => side.next('watched', undefined, TIMEOUT_MS)));
    for (const [from, to] of [sides, sides.toReversed()]) {
      const [id, text] = [randomUUID(), `a message ${randomUUID()}`];
      from?.send({ type: 'send', conversationId, id, text });
      await from?.next('ack', (ack) => ack.id === id, TIMEOUT_MS);
      await to?.next('message', ({ message }) => message.text === text, TIMEOUT_MS);
    }
  } finally {
    for (const side of sides) side.close();
  }
}
