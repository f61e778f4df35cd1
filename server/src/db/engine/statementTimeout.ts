import type pg from 'pg';
import type { Database } from './database.ts';

/** Statement timeout (including waits for locks), or lock not available. */
const LATE = new Set(['57014', '55P03']);

type Limits = { ms: number; settings: string };

/**
 * Runs one statement in a transaction with a timeout and planner settings. Undefined on timeout; then nothing was
 * changed.
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

/** The same for several statements. The timeout applies to each; on timeout nothing was changed. */
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
