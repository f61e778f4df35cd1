import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/**
 * `sql` is the typed query builder. `pool` is for prepared statements and for SQL as text. CONTRIBUTING.md says when
 * to use which.
 */
export type Database = { pool: pg.Pool; sql: Kysely<Tables>; close(): Promise<void> };

export type DbTransaction = Transaction<Tables>;

/** Timeouts for getting a connection and for a query. */
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
  const sql = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  // Kysely only ends a pool that it used.
  return { pool, sql, close: () => pool.end() };
}

/** Connections in use, and callers waiting for one. */
export function countConnections({ pool }: Database): { idle: number; busy: number; waiting: number } {
  return { idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount };
}

/** PostgreSQL's current time in milliseconds. */
export async function readDatabaseTime(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  return rows[0]?.ms ?? Number.NaN;
}
