import type { Kysely } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../engine/tables.ts';

export type StoredAvatar = { type: string; bytes: Buffer };

/** The one picture; whatever was there before is gone. */
export async function replaceAvatar(
  db: Kysely<Tables>,
  avatar: (StoredAvatar & { id: string }) | undefined,
): Promise<void> {
  await db.deleteFrom('avatars').execute();
  if (avatar !== undefined) await db.insertInto('avatars').values(avatar).execute();
}

export async function findAvatar(db: Database, id: string): Promise<StoredAvatar | undefined> {
  return db.sql.selectFrom('avatars').select(['type', 'bytes']).where('id', '=', id).executeTakeFirst();
}
