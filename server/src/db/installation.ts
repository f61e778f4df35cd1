import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/** Databases that are set up stay so: asked once, never again. */
const setUp = new WeakSet<Database>();

/** Whether there was ever an administrator. */
export async function isSetUp(db: Database): Promise<boolean> {
  if (setUp.has(db)) return true;
  const row = await db.sql.selectFrom('installation').select('set_up_at').executeTakeFirstOrThrow();
  if (row.set_up_at === null) return false;
  setUp.add(db);
  return true;
}

export async function readInstallationId(db: Kysely<Tables>): Promise<string> {
  return (await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()).id;
}

/** Holds every other first administrator back until this transaction ends; true when there was none before. */
export async function lockSetup(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom('installation').select('set_up_at').forUpdate().executeTakeFirstOrThrow();
  return row.set_up_at === null;
}
