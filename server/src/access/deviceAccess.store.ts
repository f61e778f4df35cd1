import { type Db, exists, one, sql } from '../platform/db/query.ts';
import type { Visitor } from '../platform/ports/caller.ts';

/** How long a browser that lost the answer to a claim or attach may retry with its old credential. */
export const SECOND_CHANCE = sql`interval '5 minutes'`;

/**
 * True if all of the visitor's devices have another credential: the caller's was replaced. With `sinceLongAgo`, only
 * if it is too late to retry for the replacement.
 */
export async function isCredentialReplaced(
  db: Db,
  visitor: Visitor,
  { sinceLongAgo = false } = {},
): Promise<boolean> {
  const found = await one<{ current: boolean | null; justNow: boolean | null }>(db)`
    select bool_or(credential = ${visitor.credential}) as current,
      bool_or(attached_at > now() - ${SECOND_CHANCE}) as "justNow"
    from devices where visitor_id = ${visitor.visitorId}`;
  return found.current === false && !(sinceLongAgo && found.justNow === true);
}

export function hasDevice(db: Db, visitor: Visitor): Promise<boolean> {
  return exists(db)`
    select from devices
    where visitor_id = ${visitor.visitorId} and credential = ${visitor.credential} and revoked_at is null limit 1`;
}
