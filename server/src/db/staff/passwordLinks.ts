import { type Kysely, sql } from 'kysely';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

/** The previous link becomes void. */
export async function replacePasswordLink(
  db: Queries,
  link: { staffId: string; tokenHash: Buffer; hours: number },
): Promise<Date> {
  const lasting = {
    token_hash: link.tokenHash,
    created_at: sql<Date>`now()`,
    expires_at: sql<Date>`now() + make_interval(hours => ${link.hours})`,
  };
  const { expires_at } = await db
    .insertInto('password_links')
    .values({ staff_id: link.staffId, ...lasting })
    .onConflict((conflict) => conflict.column('staff_id').doUpdateSet(lasting))
    .returning('expires_at')
    .executeTakeFirstOrThrow();
  return expires_at;
}

/** The person of a valid link. */
export async function findPasswordLink(
  db: Queries,
  tokenHash: Buffer,
): Promise<{ staffId: string; name: string; email: string } | undefined> {
  return db
    .selectFrom('password_links as link')
    .innerJoin('staff', 'staff.id', 'link.staff_id')
    .select(['staff.id as staffId', 'staff.name', 'staff.email'])
    .where('link.token_hash', '=', tokenHash)
    .where('link.expires_at', '>', sql<Date>`now()`)
    .where('staff.active', '=', true)
    .executeTakeFirst();
}

/** Only one of concurrent callers gets true. */
export async function takePasswordLink(db: Queries, tokenHash: Buffer): Promise<boolean> {
  const result = await db
    .deleteFrom('password_links')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function dropPasswordLink(db: Queries, staffId: string): Promise<void> {
  await db.deleteFrom('password_links').where('staff_id', '=', staffId).execute();
}
