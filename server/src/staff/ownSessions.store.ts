import { changed, column, type Db, rows, run, sql, value } from '../platform/db/query.ts';
import type { SessionOrigin } from '../platform/ports/caller.ts';
import { FRESH_MINUTES, openSql } from './staff.store.ts';

/** Neither revoked nor expired. */
const OPEN = sql`revoked_at is null and expires_at > now()`;

/** Whether the session showed a factor or a password recently. False for an ended session. */
export async function hasRecentProof(db: Db, sessionId: string): Promise<boolean> {
  const fresh = await value<boolean | null>(db)`
    select greatest(second_factor_at, confirmed_at) > now() - make_interval(mins => ${FRESH_MINUTES})
    from staff_sessions where id = ${sessionId} and ${OPEN}`;
  return fresh === true;
}

/** Records that the person entered the password, and replaces the session's secret. False for an ended session. */
export function confirmSession(
  db: Db,
  { sessionId, tokenHash }: { sessionId: string; tokenHash: Buffer },
): Promise<boolean> {
  return changed(db)`
    update staff_sessions set confirmed_at = now(), previous_hash = token_hash, token_hash = ${tokenHash}
    where id = ${sessionId} and ${OPEN}`;
}

export function markSecondFactor(db: Db, sessionId: string): Promise<void> {
  return run(db)`update staff_sessions set second_factor_at = now() where id = ${sessionId}`;
}

/** Resets the verification of all sessions of an account without factors. */
export function forgetSecondFactor(db: Db, staffId: string): Promise<void> {
  return run(db)`update staff_sessions set second_factor_at = null where staff_id = ${staffId}`;
}

export type OwnSession = SessionOrigin & { id: string; createdAt: Date; lastUsedAt: Date };

/** The open sessions of an account, the last used first. */
export function listSessions(
  db: Db,
  rules: Parameters<typeof openSql>[0],
  staffId: string,
): Promise<OwnSession[]> {
  return rows<OwnSession>(db)`
    select session.id, session.created_at as "createdAt", session.last_used_at as "lastUsedAt",
      session.browser, session.network
    from staff_sessions session join staff on staff.id = session.staff_id
    where session.staff_id = ${staffId} and ${openSql(rules)}
    order by session.last_used_at desc, session.id`;
}

/** Ends one session of the account, with its push subscriptions. False if there is none. */
export async function endSession(db: Db, { staffId, id }: { staffId: string; id: string }): Promise<boolean> {
  const ended = await changed(db)`
    update staff_sessions set revoked_at = now() where id = ${id} and staff_id = ${staffId} and ${OPEN}`;
  if (ended) await run(db)`delete from push_subscriptions where session_id = ${id}`;
  return ended;
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

/** Ends notifications on the device that signs out. */
export function dropPushOfSession(db: Db, tokenHash: Buffer): Promise<void> {
  return run(db)`
    delete from push_subscriptions
    where session_id in (select id from staff_sessions where token_hash = ${tokenHash})`;
}
