import { randomUUID } from 'node:crypto';
import { openDatabase } from '../../server/src/db/engine/database.ts';
import { Appender } from '../../server/src/db/message/appender.ts';
import { indexSlice } from '../../server/src/db/search/searchIndex.ts';
import { seedConversations, seedDesks } from './people.ts';
import type { BenchDatabase, Engines } from './stage.ts';

const DESKS = 20;
const MESSAGES_EACH = 100;
/** Concurrent messages: enough to fill the appender's batches. */
const AT_ONCE = 400;
/** Number of different words. The first ones are far more frequent than the last. */
const VOCABULARY = 20_000;
const WORDS_MAX = 22;

/** Bytes on disk per message, and per conversation without its messages. */
export type StorageResult = {
  messages: number;
  conversations: number;
  /** Of the text. */
  text: number;
  /** Of the row and its indexes. */
  stored: number;
  searched: number;
  counted: number;
  /** Bytes of WAL, which replicas and archives receive. */
  logged: number;
  conversation: number;
};

/** Measures messages that take the normal path: appended, counted, indexed. */
export async function measureStorage(engines: Engines, conversations: number): Promise<StorageResult> {
  const database = await engines.createDatabase();
  try {
    const desks = await seedDesks(database, DESKS);
    const claimed = await seedConversations(database, desks, Array<number>(conversations).fill(0));
    const messages = conversations * MESSAGES_EACH;
    const before = await written(database);
    const text = await append(database, claimed, messages);
    const logged = ((await written(database)) - before) / messages;
    await index(database);
    await database.run('vacuum (analyze)');
    const size = async (tables: string): Promise<number> => {
      const [row] = await database.run<{ bytes: string }>(
        `select sum(pg_total_relation_size(oid)) as bytes from pg_class
         where relkind = 'r' and relnamespace = 'public'::regnamespace and relname ~ $1`,
        [tables],
      );
      return Number(row?.bytes ?? 0);
    };
    return {
      messages,
      conversations,
      text: text / messages,
      stored: (await size('^messages')) / messages,
      searched: (await size('^search_')) / messages,
      counted: (await size('^figures')) / messages,
      logged,
      conversation: (await size('^(conversations|devices|invites)$')) / conversations,
    };
  } finally {
    await database.drop();
  }
}

async function append(
  database: BenchDatabase,
  claimed: { conversationId: string; visitorId: string }[],
  messages: number,
): Promise<number> {
  const appender = new Appender(database.url, 2);
  let sent = 0;
  let bytes = 0;
  const send = async (): Promise<void> => {
    while (sent < messages) {
      const { conversationId, visitorId } = claimed[sent % claimed.length] as (typeof claimed)[number];
      const text = sentence(sent);
      sent += 1;
      bytes += Buffer.byteLength(text);
      const draft = { conversationId, id: randomUUID(), text, fromOwner: false, authorId: visitorId };
      await appender.append({ ...draft, alias: null, after: null, mediaId: null });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  await appender.close();
  return bytes;
}

/** The same text for the same number. */
function sentence(seed: number): string {
  let state = seed + 1;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  random();
  const words = Array.from({ length: 1 + Math.floor(random() * WORDS_MAX) }, () =>
    Math.floor(VOCABULARY ** random())
      .toString(26)
      .padStart(3, 'e'),
  );
  return words.map((word) => word.replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')).join(' ');
}

async function index(database: BenchDatabase): Promise<void> {
  const db = openDatabase(database.url, 1);
  try {
    while ((await indexSlice(db, { alias: null, what: 'open', wait: true, ms: 60_000 })) !== 'done');
  } finally {
    await db.close();
  }
}

async function written(database: BenchDatabase): Promise<number> {
  const [row] = await database.run<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`,
  );
  return Number(row?.bytes);
}
