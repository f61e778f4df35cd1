import { defaultBrand } from '@settee/protocol/model/brand';
import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/** Databases known to be set up. This never changes back. */
const setUp = new WeakSet<Database>();

/** Whether there ever was an administrator. */
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

/** Blocks other first administrators until the commit. Returns true if there was none. */
export async function lockSetup(db: Kysely<Tables>): Promise<boolean> {
  const row = await db.selectFrom('installation').select('set_up_at').forUpdate().executeTakeFirstOrThrow();
  return row.set_up_at === null;
}

/** The stored fingerprint of SECRET, locked until the commit. */
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
 * What a new installation still needs. A completed step stays completed, even if retention removed the last invite or
 * the profile kept its default name; the audit log proves both.
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

/** Open conversations, and staff at desks. */
export async function readCounts(db: Kysely<Tables>): Promise<{ open: number; handlers: number }> {
  const { rows } = await sql<{ open: number; handlers: number }>`
    select
      (select count(*)::int from conversations where status = 'open') as open,
      (select count(*)::int from staff
       where active and alias is not null and role in ('handler', 'admin')) as handlers
  `.execute(db);
  return rows[0] ?? { open: 0, handlers: 0 };
}
