import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/** The typed door for everything but the message path, and the bare pool for that one. */
export type Database = { pool: pg.Pool; sql: Kysely<Tables>; close(): Promise<void> };

/** What several steps of one transaction hand on to each other. */
export type DbTransaction = Transaction<Tables>;

/** How long a caller waits for a connection, and for an answer. A database that stopped answering must not hold it for ever. */
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
    // A gateway that freezes in the middle of a transaction must not keep what it locked.
    idle_in_transaction_session_timeout: 5_000,
    keepAlive: true,
  });
  // A connection that breaks is replaced by the next query; without a listener it would end the process. The
  // pool listens to idle ones only: one that is out for a transaction needs a listener of its own.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  const sql = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  // Kysely ends the pool only if it was ever asked for a connection.
  return { pool, sql, close: () => pool.end() };
}

/** How many of a pool's connections are in use, and how many callers wait for one. */
export function countConnections({ pool }: Database): { idle: number; busy: number; waiting: number } {
  return { idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount };
}

/** Milliseconds since 1970 by PostgreSQL's own clock, now. */
export async function readDatabaseTime(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  return rows[0]?.ms ?? Number.NaN;
}
