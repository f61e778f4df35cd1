import pg from 'pg';
import { type Db, one } from './query.ts';

/** A connection within a transaction. */
export type DbTransaction = pg.PoolClient;

/** Runs each statement on any free connection, except in a transaction. */
export type Database = Db & {
  pool: pg.Pool;
  /** Commits everything that `work` does, or nothing if it throws. `begin` may set options. */
  transaction<Result>(work: (db: DbTransaction) => Promise<Result>, begin?: string): Promise<Result>;
  close(): Promise<void>;
};

type Patience = { connectMs: number; queryMs: number };
const PATIENCE: Patience = { connectMs: 5_000, queryMs: 15_000 };

export function openDatabase(url: string, connections: number, patience = PATIENCE): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'settee',
    connectionTimeoutMillis: patience.connectMs,
    query_timeout: patience.queryMs,
    statement_timeout: patience.queryMs,
    // Releases the locks of a gateway that froze in a transaction.
    idle_in_transaction_session_timeout: 5_000,
    keepAlive: true,
  });
  // Without a listener, a broken connection ends the process. The pool only listens to idle ones, so each connection
  // gets its own listener.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return {
    pool,
    query: (config) => pool.query(config),
    transaction: (work, begin) => runTransaction(pool, work, begin),
    close: () => pool.end(),
  };
}

async function runTransaction<Result>(
  pool: pg.Pool,
  work: (db: DbTransaction) => Promise<Result>,
  begin = 'begin',
): Promise<Result> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    throw error;
  }
}

/** Connections in use, and callers waiting for one. */
export function countConnections({ pool }: Database): { idle: number; busy: number; waiting: number } {
  return { idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount };
}

/** PostgreSQL's current time in milliseconds. */
export async function readDatabaseTime(db: Database): Promise<number> {
  const { ms } = await one<{ ms: number }>(db)`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
  return ms;
}
