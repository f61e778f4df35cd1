import { randomUUID } from 'node:crypto';
import { Appender, indexSlice, openDatabase } from '../../server/testing/installation.ts';
import { words } from './bulk.ts';
import { Path } from './path.ts';
import { type Claimed, seedConversations, seedDesks } from './people.ts';
import type { BenchDatabase, Engines } from './stage.ts';

const DESKS = 20;
const MESSAGES_EACH = 100;
/** Concurrent messages: enough to fill the appender's batches. */
const AT_ONCE = 400;
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
export function measureStorage(engines: Engines, conversations: number): Promise<StorageResult> {
  return engines.withDatabase(async (database) => {
    const desks = await seedDesks(database, DESKS);
    const claimed = await seedConversations(database, desks, Array<number>(conversations).fill(0));
    const messages = conversations * MESSAGES_EACH;
    const before = await written(database);
    const text = await append(database, claimed, messages);
    const logged = ((await written(database)).bytes - before.bytes) / messages;
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
  });
}

async function append(
  database: BenchDatabase,
  claimed: readonly Claimed[],
  messages: number,
): Promise<number> {
  const appender = new Appender(database.url, 2);
  let sent = 0;
  let bytes = 0;
  const send = async (): Promise<void> => {
    while (sent < messages) {
      const { conversationId, visitorId } = claimed[sent % claimed.length] as Claimed;
      const text = words(sent + 1, 1, WORDS_MAX).join(' ');
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

async function index(database: BenchDatabase): Promise<void> {
  const db = openDatabase(database.url, 1);
  try {
    while ((await indexSlice(db, { alias: null, what: 'open', wait: true, ms: 60_000 })) !== 'done');
  } finally {
    await db.close();
  }
}

/** Few messages a second: each commit is small, and whole pages are most of the WAL. */
const RATE = 200;
const WARM_SECONDS = 5;

export type WalResult = {
  rate: number;
  seconds: number;
  messages: number;
  /** Bytes of WAL per message. */
  bytes: number;
  /** Whole pages per message. */
  pages: number;
};

/** A steady run of the whole product that begins with a checkpoint. */
export function measureWal(engines: Engines, seconds: number): Promise<WalResult> {
  return engines.withDatabase(async (database) => {
    const path = await Path.open(
      { engines, database, desks: await seedDesks(database, DESKS) },
      { rates: [RATE], warmSeconds: WARM_SECONDS, seconds, refinements: 0, onStep: () => {} },
    );
    try {
      await database.run('checkpoint');
      const before = await written(database);
      const { closed } = await path.attempt(RATE);
      if (closed.length > 0) throw new Error(`the generator failed: ${closed.join(', ')}`);
      const after = await written(database);
      const messages = after.messages - before.messages;
      return {
        rate: RATE,
        seconds,
        messages,
        bytes: (after.bytes - before.bytes) / messages,
        pages: (after.pages - before.pages) / messages,
      };
    } finally {
      await path.close();
    }
  });
}

type Written = { messages: number; bytes: number; pages: number };

async function written(database: BenchDatabase): Promise<Written> {
  const [row] = await database.run<Written>(
    `select (select sum(last_seq) from conversations)::float8 as messages,
       pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes, wal_fpi::float8 as pages from pg_stat_wal`,
  );
  if (row === undefined) throw new Error('pg_stat_wal has one row');
  return row;
}
