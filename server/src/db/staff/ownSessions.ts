import { column, type Db, exists, one, run, sql, value } from '../engine/query.ts';

/** How long a shown factor or password counts as recent. */
const FRESH_MINUTES = 10;

/** Neither revoked nor expired. */
const OPEN = sql`revoked_at is null and expires_at > now()`;

export function isOpen(db: Db, sessionId: string): Promise<boolean> {
  return exists(db)`select from staff_sessions where id = ${sessionId} and ${OPEN}`;
}

/**
 * Whether the session showed a factor recently, or the password if the account has no factor. False for an ended
 * session.
 */
export async function hasRecentProof(
  db: Db,
  sessionId: string,
  { hasFactor }: { hasFactor: boolean },
): Promise<boolean> {
  const since = hasFactor
    ? sql`greatest(second_factor_at, confirmed_at)`
    : sql`greatest(created_at, second_factor_at, confirmed_at)`;
  const fresh = await value<boolean | null>(db)`
    select ${since} > now() - make_interval(mins => ${FRESH_MINUTES})
    from staff_sessions where id = ${sessionId} and ${OPEN}`;
  return fresh === true;
}

export function markConfirmed(db: Db, sessionId: string): Promise<void> {
  return run(db)`update staff_sessions set confirmed_at = now() where id = ${sessionId}`;
}

export function markSecondFactor(db: Db, sessionId: string): Promise<void> {
  return run(db)`update staff_sessions set second_factor_at = now() where id = ${sessionId}`;
}

/** Resets the verification of all sessions of an account without factors. */
export function forgetSecondFactor(db: Db, staffId: string): Promise<void> {
  return run(db)`update staff_sessions set second_factor_at = null where staff_id = ${staffId}`;
}

export async function countOtherSessions(
  db: Db,
  { staffId, sessionId }: { staffId: string; sessionId: string },
): Promise<number> {
  const { count } = await one<{ count: number }>(db)`
    select count(*)::integer as count from staff_sessions
    where staff_id = ${staffId} and id <> ${sessionId} and ${OPEN}`;
  return count;
}

/** Ends all sessions but one, with their push subscriptions. Returns the number. */
export async function endSessionsOf(
  db: Db,
  staffId: string,
  { except = null, withoutFactorOnly = false }: { except?: string | null; withoutFactorOnly?: boolean } = {},
): Promise<number> {
  const ids = await column<string>(db)`
    update staff_sessions set revoked_at = now()
    where staff_id = ${staffId} and ${OPEN} and id is distinct from ${except}::uuid
      and (not ${withoutFactorOnly}::boolean or second_factor_at is null)
    returning id`;
  await run(db)`delete from push_subscriptions where session_id = any (${ids}::uuid[])`;
  return ids.length;
}
