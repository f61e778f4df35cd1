// A handler sends without pause while the gateway is restarted or killed. Everything that was acknowledged must be stored.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { continueChat, type FirstChat } from '../../../e2e/containers/firstChat.ts';
import { expectTexts } from '../../../e2e/product/people.ts';
import { LiveClient } from '../../../server/test/support/client.ts';
import { type Chat, openChat, type Settee } from '../../ops/chat.ts';
import { pageCode, pageLines } from '../guide.ts';
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

const BACKUPS = '/var/backups/settee';
const PAGE = 'docs/backup.md';
const DROP_IN = '/run/systemd/system/settee-backup.timer.d';

/** Returns the name of the backup. */
export async function timerBacksUp(debian: Debian): Promise<string> {
  assert.equal(debian.run('systemctl is-enabled settee-backup.timer').trim(), 'enabled');
  const next = debian.property('settee-backup.timer', 'NextElapseUSecRealtime');
  assert.match(next, / 03:[0-2]\d:/, next);
  // Only the time is different from the shipped timer.
  debian.run(`install -d ${DROP_IN}
    printf '[Timer]\\nOnCalendar=\\nOnActiveSec=1s\\nRandomizedDelaySec=0\\nAccuracySec=1s\\n' > ${DROP_IN}/now.conf
    systemctl daemon-reload
    systemctl restart settee-backup.timer`);
  try {
    await debian.until(`ls ${BACKUPS} | grep -v partial`);
    await debian.until('[ "$(systemctl show --property=SubState --value settee-backup)" = dead ]');
    assert.equal(debian.property('settee-backup', 'Result'), 'success');
  } finally {
    debian.run(`rm -r ${DROP_IN}\nsystemctl daemon-reload\nsystemctl restart settee-backup.timer`);
  }
  const names = debian.run(`ls ${BACKUPS}`).trim().split('\n');
  assert.equal(names.length, 1, names.join(' '));
  assert.equal(debian.run(`stat --format='%U %a' ${BACKUPS}/${names[0]}`).trim(), 'settee 700');
  return names[0] ?? '';
}

export function verifies(checkout: string, debian: Debian, name: string): void {
  const lines = pageLines(checkout, PAGE, 'backup verify');
  const verify = lines.find((each) => each.includes('backup verify')) ?? '';
  const verifyOf = (folder: string): string => verify.replace(/--from \S+/, `--from ${folder}`);
  assert.match(debian.run(verifyOf(`${BACKUPS}/${name}`)), /\S/);
  // One more byte in one file of a copy.
  const damaged = '/var/lib/settee/damaged';
  debian.run(`cp --archive ${BACKUPS}/${name} ${damaged}\nprintf x >> ${damaged}/tables/messages.copy.zst`);
  const { status, out, err } = debian.attempt(verifyOf(damaged));
  assert(status === 1 && (out + err).includes('messages'), `${status} ${out}${err}`);
  debian.run(`rm -r ${damaged}`);
}

export async function restores(
  checkout: string,
  debian: Debian,
  chat: FirstChat,
  name: string,
): Promise<void> {
  const saved = [...chat.said];
  await continueChat(chat, 'After the backup');
  const codes = (text: string): string[] => pageCode(checkout, PAGE, text);
  const step = (text: string): string => codes(text)[0] ?? assert.fail(text);
  const lines = [
    step('1. Stop the processes'),
    step('2. Rename the old database'),
    step('3. Create an empty one'),
    step('4. Restore:').replace('NAME', name),
  ];
  debian.run(lines.join('\n'), { minutes: 20 });
  debian.run(`systemctl start ${GATEWAY}`);
  await debian.until('curl --silent --fail http://127.0.0.1:18081/readyz');
  await chat.visitor.reload();
  await expectTexts(chat.visitor, saved);
  chat.said.splice(0, Number.POSITIVE_INFINITY, ...saved);
  const [drop = '', sweep = ''] = codes('6. When you are sure');
  debian.run(`${drop}\n${sweep}`);
}
