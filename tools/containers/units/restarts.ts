// A handler sends without pause while the gateway is restarted or killed. Everything that was acknowledged must be stored.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LiveClient } from '../../../server/test/client.ts';
import { type Chat, openChat, type Settee } from '../../ops/chat.ts';
import { type Debian, GATEWAY } from './debian.ts';
import { ORIGIN } from './guide.ts';

const BEFORE = 200;
const PAUSE_MS = 5;

type Acknowledged = Map<string, number>;

/** People and a conversation, made with the `settee` of the guide. */
export function openUnitsChat(debian: Debian, port: number): Promise<Chat> {
  const run: Settee = (args, input = '') => debian.attempt(`settee ${args.join(' ')}`, { input });
  return openChat(run, ORIGIN, [port, port]);
}

/** Runs the command while messages are in flight. Returns how many were acknowledged. */
export async function losesNothing(
  debian: Debian,
  chat: Chat,
  port: number,
  command: string,
): Promise<number> {
  const before = debian.property(GATEWAY, 'MainPID');
  const client = await LiveClient.open(`http://127.0.0.1:${port}`, ORIGIN, chat.handler.token);
  client.send({ type: 'watch', conversationId: chat.conversationId });
  await client.next('watched');
  const sending = send(client, chat.conversationId);
  await client.until(() => acknowledgedBy(client).size >= BEFORE, 'too few messages were acknowledged');
  // Later, so that messages are in flight: this process sends nothing while it runs a command.
  debian.run(`systemd-run --quiet --collect bash -c 'sleep 1; ${command}'`);
  await sending;
  await debian.until(`[ "$(systemctl show --property=MainPID --value ${GATEWAY})" != ${before} ]`);
  await debian.until('curl --silent --fail http://127.0.0.1:18081/readyz');
  const acknowledged = acknowledgedBy(client);
  const stored = storedMessages(debian, chat.conversationId);
  for (const [id, seq] of acknowledged) assert.equal(stored.get(id), seq, `message ${id}`);
  return acknowledged.size;
}

/** Until the gateway ends. */
async function send(client: LiveClient, conversationId: string): Promise<void> {
  while (client.closed === undefined) {
    client.send({ type: 'send', conversationId, id: randomUUID(), text: `a message ${randomUUID()}` });
    await sleep(PAUSE_MS);
  }
}

function acknowledgedBy(client: LiveClient): Acknowledged {
  return new Map(
    client.received.flatMap((frame) => (frame.type === 'ack' ? [[frame.id, frame.seq] as const] : [])),
  );
}

function storedMessages(debian: Debian, conversationId: string): Acknowledged {
  const sql = `select id, seq from messages where conversation_id = '${conversationId}'`;
  const rows = debian.run(`runuser -u postgres -- psql --no-align --tuples-only --command="${sql}" settee`);
  return new Map(
    rows
      .trim()
      .split('\n')
      .map((row) => row.split('|'))
      .map(([id = '', seq]) => [id, Number(seq)]),
  );
}
