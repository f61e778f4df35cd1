import { readdirSync } from 'node:fs';
import { parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Database } from './database.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));

const shipped = readdirSync(MIGRATIONS_FOLDER).map((file) => parse(file).name);

/**
 * How many of this release's migrations the database lacks. More than this release knows do no harm: the next release
 * may already have migrated, and its migrations tolerate this one.
 */
export async function countMissingMigrations(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ missing: number }>(
    `select count(*)::int as missing from unnest($1::text[]) as shipped (name)
     where not exists (select from migrations m where m.name = shipped.name)`,
    [shipped],
  );
  return rows[0]?.missing ?? shipped.length;
}
