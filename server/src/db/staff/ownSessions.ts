import { type Kysely, sql } from 'kysely';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

/** How long a shown factor or password counts as recent. */
const FRESH_MINUTES = 10;

/** Neither revoked nor expired. */
export async function isOpen(db: Queries, sessionId: string): Promise<boolean> {
  return (await openSessions(db).select('id').where('id', '=', sessionId).executeTakeFirst()) !== undefined;
}

/**
 * Whether the session showed a factor recently, or the password if the account has no factor. False for an ended
 * session.
 */
export async function hasRecentProof(
  db: Queries,
  sessionId: string,
  { hasFactor }: { hasFactor: boolean },
): Promise<boolean> {
  const since = hasFactor
    ? sql`greatest(second_factor_at, confirmed_at)`
    : sql`greatest(created_at, second_factor_at, confirmed_at)`;
  const row = await openSessions(db)
    .select(sql<boolean | null>`${since} > now() - make_interval(mins => ${FRESH_MINUTES})`.as('fresh'))
    .where('id', '=', sessionId)
    .executeTakeFirst();
  return row?.fresh === true;
}

export async function markConfirmed(db: Queries, sessionId: string): Promise<void> {
  await db
    .updateTable('staff_sessions')
    .set({ confirmed_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .execute();
}

export async function markSecondFactor(db: Queries, sessionId: string): Promise<void> {
  await db
    .updateTable('staff_sessions')
    .set({ second_factor_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .execute();
}

/** Resets the verification of all sessions of an account without factors. */
export async function forgetSecondFactor(db: Queries, staffId: string): Promise<void> {
  await db
    .updateTable('staff_sessions')
    .set({ second_factor_at: null })
    .where('staff_id', '=', staffId)
    .execute();
}

export async function countOtherSessions(
  db: Queries,
  { staffId, sessionId }: { staffId: string; sessionId: string },
): Promise<number> {
  const { count } = await openSessions(db)
    .where('staff_id', '=', staffId)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('id', '<>', sessionId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Ends all sessions but one, with their push subscriptions. Returns the number. */
export async function endSessionsOf(
  db: Queries,
  staffId: string,
  { except = null, withoutFactorOnly = false }: { except?: string | null; withoutFactorOnly?: boolean } = {},
): Promise<number> {
  const ended = await db
    .updateTable('staff_sessions')
    .set({ revoked_at: sql<Date>`now()` })
    .where('staff_id', '=', staffId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where(sql<boolean>`id is distinct from ${except}::uuid`)
    .$if(withoutFactorOnly, (update) => update.where('second_factor_at', 'is', null))
    .returning('id')
    .execute();
  const ids = ended.map(({ id }) => id);
  if (ids.length > 0) await db.deleteFrom('push_subscriptions').where('session_id', 'in', ids).execute();
  return ids.length;
}

function openSessions(db: Queries) {
  return db
    .selectFrom('staff_sessions')
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`);
}
