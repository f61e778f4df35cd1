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

/** What the database knows about SECRET, held until the transaction ends. */
export async function lockSecret(
  db: Kysely<Tables>,
): Promise<{ id: string; mark: Buffer | null; olderKeys: Buffer | null }> {
  return db
    .selectFrom('installation')
    .select(['id', 'secret_check as mark', 'older_keys as olderKeys'])
    .forUpdate()
    .executeTakeFirstOrThrow();
}

export async function putSecret(
  db: Kysely<Tables>,
  { mark, olderKeys }: { mark: Buffer; olderKeys: Buffer | null },
): Promise<void> {
  await db.updateTable('installation').set({ secret_check: mark, older_keys: olderKeys }).execute();
}
