import type { Database } from './database.ts';

/** Milliseconds since 1970 by PostgreSQL's own clock, now. */
export async function readDatabaseTime(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
  );
  return rows[0]?.ms ?? Number.NaN;
}
