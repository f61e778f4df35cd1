import type { Database } from './database.ts';

/** A statement's time was over; waiting for another's lock counts too. Or a lock was not to be had. */
const LATE = new Set(['57014', '55P03']);

/**
 * One statement in a transaction of its own, planned with these settings, that may keep PostgreSQL busy for so long.
 * Undefined when time ran out; then it has done nothing.
 */
export async function inTime<Row>(
  db: Database,
  { ms, settings }: { ms: number; settings: string },
  query: string,
  values: unknown[],
): Promise<Row[] | undefined> {
  const client = await db.pool.connect();
  try {
    await client.query(`begin; set local statement_timeout = ${ms}; ${settings}`);
    const { rows } = await client.query(query, values);
    await client.query('commit');
    client.release();
    return rows as Row[];
  } catch (error) {
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    );
    if (!LATE.has((error as { code?: string }).code ?? '')) throw error;
    return undefined;
  }
}
