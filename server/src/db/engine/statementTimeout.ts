import type pg from 'pg';
import type { Database } from './database.ts';

/** A statement's time was over; waiting for another's lock counts too. Or a lock was not to be had. */
const LATE = new Set(['57014', '55P03']);

type Limits = { ms: number; settings: string };

/**
 * One statement in a transaction of its own, planned with these settings, that may keep PostgreSQL busy for so long.
 * Undefined when time ran out; then it has done nothing.
 */
export function queryWithTimeout<Row>(
  db: Database,
  limits: Limits,
  query: string,
  values: unknown[],
): Promise<Row[] | undefined> {
  return withStatementTimeout(
    db,
    limits,
    async (client) => (await client.query(query, values)).rows as Row[],
  );
}

/** The same for several in one transaction. Each may take so long; when one does not end in time, nothing was done. */
export async function withStatementTimeout<Result>(
  db: Database,
  { ms, settings }: Limits,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result | undefined> {
  const client = await db.pool.connect();
  try {
    await client.query(`begin; set local statement_timeout = ${ms}; ${settings}`);
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    if (!LATE.has((error as { code?: string }).code ?? '')) throw error;
    return undefined;
  }
}
