import { Path } from './path.ts';
import { seedDesks } from './people.ts';
import type { BenchDatabase, Engines } from './stage.ts';

const DESKS = 20;
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
export async function measureWal(engines: Engines, seconds: number): Promise<WalResult> {
  const database = await engines.createDatabase();
  try {
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
  } finally {
    await database.drop();
  }
}

type Written = { messages: number; bytes: number; pages: number };

async function written(database: BenchDatabase): Promise<Written> {
  const [row] = await database.run<Written>(
    `select (select sum(last_seq) from conversations)::float8 as messages, wal_bytes::float8 as bytes,
       wal_fpi::float8 as pages from pg_stat_wal`,
  );
  if (row === undefined) throw new Error('pg_stat_wal has one row');
  return row;
}
