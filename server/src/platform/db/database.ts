import pg from 'pg';
import { Overloaded } from '../limits/overloaded.ts';
import { confirmed } from './confirmed.ts';
import { PrimaryClient } from './primaryClient.ts';
import { type Db, exactMillis, one } from './query.ts';

/** A connection within a transaction. */
export type DbTransaction = pg.PoolClient;

/** Runs each statement on any free connection, except in a transaction. */
export type Database = Db & {
  pool: pg.Pool;
  /** Commits everything that `work` does, or nothing if it throws. `begin` may set options. */
  transaction<Result>(work: (db: DbTransaction) => Promise<Result>, begin?: string): Promise<Result>;
  /** So many wait for a connection that new work of visitors should be refused. */
  isBusy(): boolean;
  close(): Promise<void>;
};

/** For `reserved` of App. A handler may block many conversations at once, and each block is worth waiting for. */
export const RESERVED = { connections: 3, waitingMax: 200 };

/** Queries that may wait per connection. With more, a query would wait longer than its answer is worth. */
const WAITING_MAX = 20;
/** Above this, new work of visitors is refused, so that staff and work in progress get the connections. */
const WAITING_BUSY = 10;

type Patience = { connectMs: number; queryMs: number; waitingMax: number };
const PATIENCE: Patience = { connectMs: 5_000, queryMs: 15_000, waitingMax: WAITING_MAX };

export function openDatabase(url: string, connections: number, patience: Partial<Patience> = {}): Database {
  const { connectMs, queryMs, waitingMax } = { ...PATIENCE, ...patience };
  const pool = new pg.Pool({
    Client: PrimaryClient,
    connectionString: url,
    max: connections,
    application_name: 'settee',
    connectionTimeoutMillis: connectMs,
    query_timeout: queryMs,
    statement_timeout: queryMs,
    // Releases the locks of a gateway that froze in a transaction.
    idle_in_transaction_session_timeout: 5_000,
    keepAlive: true,
  });
  // Without a listener, a broken connection ends the process. The pool only listens to idle ones, so each connection
  // gets its own listener.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  const check = (): void => {
    if (pool.waitingCount >= connections * waitingMax) throw new Overloaded();
  };
  return {
    pool,
    isBusy: () => pool.waitingCount >= connections * WAITING_BUSY,
    async query(config) {
      check();
      return runStatement(pool, config);
    },
    async transaction(work, begin) {
      check();
      return runTransaction(pool, work, begin);
    },
    close: () => pool.end(),
  };
}

/** Like pool.query, but a write that was confirmed with a warning fails. */
async function runStatement(pool: pg.Pool, config: pg.QueryConfig): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    const result = await confirmed(client, () => client.query(config));
    client.release();
    return result;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
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
    await confirmed(client, () => client.query('commit'));
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
    select ${exactMillis('clock_timestamp()')} as ms`;
  return ms;
}
