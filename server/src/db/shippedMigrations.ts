import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from './database.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Names of this release's migrations, as the table of those that were run has them, in their order. */
export const shippedMigrations: readonly string[] = readdirSync(MIGRATIONS_FOLDER)
  .map((file) => parse(file).name)
  .toSorted();

/**
 * How many of this release's migrations the database lacks. More than this release knows do no harm: the next release
 * may already have migrated, and its migrations tolerate this one.
 */
export async function countMissingMigrations(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ missing: number }>(
    `select count(*)::int as missing from unnest($1::text[]) as shipped (name)
     where not exists (select from migrations m where m.name = shipped.name)`,
    [shippedMigrations],
  );
  return rows[0]?.missing ?? shippedMigrations.length;
}
