import { MESSAGE_PAGE, type Message } from '@settee/protocol/model/message';
import { query } from './database.ts';
import { type HistoryWriter, hashText, type ReadMessage, type Sender } from './history.ts';
import type { Random } from './random.ts';
import type { Device } from './recorder.ts';
import type { Chat, Desk } from './world.ts';

const AT_ONCE = 12;

/** The sources to read from. */
type Source = { databaseUrl: string; gatewayPorts: readonly number[] };

/** Reads every conversation from the table, over HTTP and from each device. */
export async function readEverything(parts: {
  from: Source;
  desks: Desk[];
  devices: Device[];
  history: HistoryWriter;
  random: Random;
}): Promise<void> {
  const { from, desks, devices, history, random } = parts;
  const toRead = desks.flatMap(({ chats }) => chats);
  const readNext = async (): Promise<void> => {
    for (let chat = toRead.shift(); chat !== undefined; chat = toRead.shift()) {
      const conversation = chat.id;
      const messages = await readTable(from.databaseUrl, conversation);
      history.write({ type: 'read', conversation, by: 'database', messages });
      const pages = await readPages(chat, from, random);
      history.write({ type: 'read', conversation, by: 'pages', messages: pages });
      const heads = await query(from.databaseUrl, 'select last_seq from conversations where id = $1', [
        conversation,
      ]);
      history.write({ type: 'head', conversation, lastSeq: Number(heads[0]?.[0]) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readNext));
  for (const device of devices) {
    history.write({
      type: 'read',
      conversation: device.conversation,
      by: device.name,
      messages: device.read(),
    });
  }
}

async function readTable(databaseUrl: string, conversation: string): Promise<ReadMessage[]> {
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
    const response = await fetch(url, { headers: { authorization: `Bearer ${chat.firstToken}` } });
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
