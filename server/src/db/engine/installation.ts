import { defaultBrand } from '@settee/protocol/model/brand';
import { type Kysely, sql } from 'kysely';
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

type FirstSteps = { profile: boolean; handler: boolean; invite: boolean };

/**
 * What a new installation still needs before a visitor can be answered. A step that was done stays done, whatever
 * became of it: who keeps the name that was there has still saved a profile, and retention takes the last invite away.
 * The log remembers both, and finds them by its index.
 */
export async function readFirstSteps(db: Kysely<Tables>): Promise<FirstSteps> {
  const { rows } = await sql<FirstSteps>`
    select
      exists (select from brand
        where display_name <> ${defaultBrand.displayName} or avatar_url is not null)
        or exists (select from audit where action = 'brand.set') as profile,
      exists (select from staff
        where active and alias is not null and role in ('handler', 'admin')) as handler,
      exists (select from invites) or exists (select from audit where action = 'invite.create') as invite
  `.execute(db);
  return rows[0] ?? { profile: false, handler: false, invite: false };
}

/** Conversations that are open (counted in the queue's own small index), and staff who answer at a desk. */
export async function readCounts(db: Kysely<Tables>): Promise<{ open: number; handlers: number }> {
  const { rows } = await sql<{ open: number; handlers: number }>`
    select
      (select count(*)::int from conversations where status = 'open') as open,
      (select count(*)::int from staff
       where active and alias is not null and role in ('handler', 'admin')) as handlers
  `.execute(db);
  return rows[0] ?? { open: 0, handlers: 0 };
}
