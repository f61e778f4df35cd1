import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { column, type Db, one, value } from './query.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));
const SQL_FOLDER = fileURLToPath(new URL('../../../sql', import.meta.url));

/** This release's migrations, in order. */
export const shippedMigrations: readonly string[] = readdirSync(MIGRATIONS_FOLDER)
  .map((file) => parse(file).name)
  .toSorted();

export type SqlFile = { name: string; sql: string; hash: string };

/** Functions, one per file in `server/sql`, applied again when their content changes. */
export const shippedFunctions: readonly SqlFile[] = readdirSync(SQL_FOLDER)
  .toSorted()
  .map((file) => {
    const sql = readFileSync(join(SQL_FOLDER, file), 'utf8');
    return { name: parse(file).name, sql, hash: createHash('sha256').update(sql).digest('hex') };
  });

/** Applied migrations, in order; undefined without our tables. */
export async function readAppliedMigrations(db: Db): Promise<string[] | undefined> {
  const hasTable = await value<boolean>(db)`select to_regclass('migrations') is not null`;
  return hasTable ? column<string>(db)`select name::text from migrations order by id` : undefined;
}

/** Functions of this release that were never applied. One replaced by a newer release is not missing. */
export async function readMissingFunctions(db: Db): Promise<SqlFile[]> {
  const applied = new Set(await column<string>(db)`select hash from applied_functions`);
  return shippedFunctions.filter(({ hash }) => !applied.has(hash));
}

/**
 * How many migrations and functions are missing. Additional ones are fine: the next release may already have migrated.
 */
export async function countMissingMigrations(db: Db): Promise<number> {
  const { missing } = await one<{ missing: number }>(db)`
    select (
      select count(*) from unnest(${shippedMigrations}::text[]) as shipped (name)
      where not exists (select from migrations m where m.name = shipped.name)
    )::int + (
      select count(*) from unnest(${shippedFunctions.map(({ hash }) => hash)}::text[]) as shipped (hash)
      where not exists (select from applied_functions f where f.hash = shipped.hash)
    )::int as missing`;
  return missing;
}
