import { setTimeout as sleep } from 'node:timers/promises';
import type { Down } from '@settee/protocol/frames/down';
import type { QueueRow } from '@settee/protocol/model/conversation';
import { MESSAGE_PAGE, type Message } from '@settee/protocol/model/message';
import { changeQueue } from '../../../web/src/handler/queue/queue.ts';
import {
  type HistoryWriter,
  hashText,
  type Marks,
  type QueueLine,
  type ReadMessage,
  type Sender,
} from '../checks/history.ts';
import type { Random } from '../random.ts';
import { query } from '../topology/installation.ts';
import type { Device } from './recorder.ts';
import { type Chat, type Desk, ONE_USE } from './world.ts';

const AT_ONCE = 12;
const LOOK_EVERY_MS = 200;

/** The sources to read from. */
export type Source = { databaseUrl: string; gatewayPorts: readonly number[] };

/** Reads every conversation from the table, over HTTP and from each device. */
export async function readEverything(parts: {
  from: Source;
  desks: Desk[];
  devices: Device[];
  history: HistoryWriter;
  random: Random;
  /** Marks and queues may need this long to reach the devices. */
  settledWithinMs: number;
}): Promise<void> {
  const { from, desks, devices, history, random, settledWithinMs } = parts;
  const heads = await settle(from.databaseUrl, desks, devices, settledWithinMs);
  const toRead = desks.flatMap(({ chats }) => chats);
  const readNext = async (): Promise<void> => {
    for (let chat = toRead.shift(); chat !== undefined; chat = toRead.shift()) {
      const conversation = chat.id;
      const messages = await readTable(from.databaseUrl, conversation);
      history.write({ type: 'read', conversation, by: 'database', messages });
      const pages = await readPages(chat, from, random);
      history.write({ type: 'read', conversation, by: 'pages', messages: pages });
      const head = heads.get(conversation);
      if (head !== undefined) history.write({ type: 'head', conversation, ...head });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readNext));
  for (const { alias } of desks) {
    const rows = await readQueueLines(from.databaseUrl, alias);
    history.write({ type: 'queue', desk: alias, by: 'database', rows });
  }
  const aliases = new Map(desks.flatMap(({ alias, chats }) => chats.map(({ id }) => [id, alias])));
  for (const device of devices) {
    const { conversation, name } = device;
    history.write({ type: 'read', conversation, by: name, messages: device.read() });
  }
  for (const console of new Map(devices.map((device) => [device.name, device])).values()) {
    const { name: by, conversation } = console;
    const desk = aliases.get(conversation) ?? '';
    if (console.queue) history.write({ type: 'queue', desk, by, rows: queueLines(console.queue()) });
  }
}

type Head = Marks & { lastSeq: number; unread: number };

/** Waits until all devices show the marks and the queue of the database, or the time is over. */
async function settle(
  databaseUrl: string,
  desks: Desk[],
  devices: Device[],
  withinMs: number,
): Promise<Map<string, Head>> {
  const ids = desks.flatMap(({ chats }) => chats.map(({ id }) => id));
  const deadline = performance.now() + withinMs;
  for (;;) {
    const heads = await readHeads(databaseUrl, ids);
    const shown = devices.every((device) => showsAll(device, heads));
    if (shown || performance.now() > deadline) return heads;
    await sleep(LOOK_EVERY_MS);
  }
}

function showsAll(device: Device, heads: ReadonlyMap<string, Head>): boolean {
  const stored = heads.get(device.conversation);
  if (stored === undefined) return false;
  const { visitorSeen, ownerSeen } = device.marks();
  const own = device.sender === 'visitor' ? stored.visitorSeen : stored.ownerSeen;
  return (
    visitorSeen === stored.visitorSeen &&
    ownerSeen === stored.ownerSeen &&
    own >= device.reported() &&
    (device.queue?.() ?? []).every(({ conversationId, head, unread }) => {
      const row = heads.get(conversationId);
      return row?.lastSeq === head && row.unread === unread;
    })
  );
}

async function readHeads(databaseUrl: string, ids: string[]): Promise<Map<string, Head>> {
  const rows = await query(
    databaseUrl,
    'select id, last_seq, unread, visitor_seen, owner_seen from conversations where id = any ($1)',
    [ids],
  );
  return new Map(
    (rows as [string, number, number, number, number][]).map(
      ([id, lastSeq, unread, visitorSeen, ownerSeen]) => [id, { lastSeq, unread, visitorSeen, ownerSeen }],
    ),
  );
}

export async function readTable(databaseUrl: string, conversation: string): Promise<ReadMessage[]> {
  const rows = await query(
    databaseUrl,
    `select seq, id, from_owner, text, round(extract(epoch from created_at) * 1000)::float8
     from messages where conversation_id = $1 order by seq`,
    [conversation],
  );
  return (rows as [number, string, boolean, string, number][]).map(
    ([seq, id, fromOwner, text, createdAt]): ReadMessage => {
      const sender: Sender = fromOwner ? 'owner' : 'visitor';
      return [seq, id, sender, hashText(text), createdAt];
    },
  );
}

/** Reads page after page, each from a random gateway. */
async function readPages(chat: Chat, from: Source, random: Random): Promise<ReadMessage[]> {
  const read: ReadMessage[] = [];
  for (let after = 0; ; ) {
    const url = `http://127.0.0.1:${random.pick(from.gatewayPorts)}/conversations/${chat.id}/messages?after=${after}`;
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${chat.first.token}`, ...ONE_USE },
    });
    if (!response.ok) throw new Error(`a page of history answered ${response.status}`);
    const { messages } = (await response.json()) as { messages: Message[] };
    for (const { seq, id, sender, text, createdAt } of messages) {
      read.push([seq, id, sender, hashText(text), createdAt]);
    }
    const last = messages.at(-1);
    if (last === undefined || messages.length < MESSAGE_PAGE) return read;
    after = last.seq;
  }
}

/** The rows that a console shows after this frame. */
export function shownQueue(rows: readonly QueueRow[], frame: Down): readonly QueueRow[] {
  if (frame.type === 'queue') return frame.rows;
  return frame.type === 'queueChange' ? changeQueue(rows, frame) : rows;
}

function queueLines(rows: readonly QueueRow[]): QueueLine[] {
  return sorted(
    rows.map(({ conversationId, head, unread, waitingSince, lastMessage }) => [
      conversationId,
      head,
      unread,
      waitingSince,
      hashText(lastMessage),
    ]),
  );
}

/** From the messages themselves, as far as possible: a row of the table may be as wrong as one of a console. */
async function readQueueLines(databaseUrl: string, alias: string): Promise<QueueLine[]> {
  const rows = await query(
    databaseUrl,
    `select c.id, c.last_seq, (
       select count(*)::integer from messages m
       where m.conversation_id = c.id and not m.from_owner and m.seq > c.owner_seen
     ), (
       select round(extract(epoch from min(m.created_at)) * 1000)::float8 from messages m
       where m.conversation_id = c.id and not m.from_owner and m.seq > coalesce(
         (select max(r.seq) from messages r where r.conversation_id = c.id and r.from_owner), 0)
     ), coalesce((
       select left(m.text, 140) from messages m where m.conversation_id = c.id and m.seq = c.last_seq
     ), '')
     from conversations c where c.handler_alias = $1 and c.status = 'open'`,
    [alias],
  );
  return sorted(
    (rows as [string, number, number, number | null, string][]).map(
      ([id, head, unread, waitingSince, preview]): QueueLine => [
        id,
        head,
        unread,
        waitingSince,
        hashText(preview),
      ],
    ),
  );
}

function sorted(lines: QueueLine[]): QueueLine[] {
  return lines.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
