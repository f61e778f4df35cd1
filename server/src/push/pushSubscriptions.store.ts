import type { PushSubscription } from '@settee/protocol/model/push';
import { changed, type Db, exists, first, run, type Sql, sql, value } from '../platform/db/query.ts';
import type { Caller, Staff } from '../platform/ports/caller.ts';

/** A visitor, or a staff member at a desk. */
export type PushOwner = Exclude<Caller, Staff> | PushStaff;
export type PushStaff = Staff & { alias: string };

/** The caller's newest push token at the desk; null while notifications are off. */
export async function findPushToken(db: Db, { staffId, alias }: PushStaff): Promise<string | null> {
  const endpoint = await value<string>(db)`
    select s.endpoint from push_subscriptions s join staff_sessions session on session.id = s.session_id
    where s.staff_id = ${staffId} and s.alias = ${alias} and session.revoked_at is null and session.expires_at > now()
    order by s.refreshed_at desc limit 1`;
  return endpoint ?? null;
}

/** Serializes changes per person, because of the limit of devices. */
export function lockPushOwner(db: Db, owner: PushOwner): Promise<void> {
  const id = owner.kind === 'visitor' ? owner.visitorId : owner.staffId;
  return run(db)`select pg_advisory_xact_lock(hashtextextended(${`push ${id}`}, 0))`;
}

/**
 * The last subscriber owns an endpoint. Taking it from another person requires the browser's keys, so that knowing an
 * endpoint is not enough. Returns whether it was stored.
 */
export function upsertPushSubscription(
  db: Db,
  owner: PushOwner,
  { endpoint, p256dh, auth }: PushSubscription,
): Promise<boolean> {
  const whose =
    owner.kind === 'visitor'
      ? sql`${owner.visitorId}, null, null, null`
      : sql`null, ${owner.alias}, ${owner.staffId}, ${owner.sessionId}`;
  return changed(db)`
    insert into push_subscriptions as s (endpoint, p256dh, auth, visitor_id, alias, staff_id, session_id)
    values (${endpoint}, ${p256dh}, ${auth}, ${whose})
    on conflict (endpoint) do update
    set p256dh = excluded.p256dh, auth = excluded.auth, visitor_id = excluded.visitor_id, alias = excluded.alias,
      staff_id = excluded.staff_id, session_id = excluded.session_id, refreshed_at = clock_timestamp(),
      refused_at = null
    where s.visitor_id = excluded.visitor_id or s.staff_id = excluded.staff_id
      or (s.p256dh = excluded.p256dh and s.auth = excluded.auth)`;
}

/** Keeps only the newest of a person. */
export function dropOldPushSubscriptions(db: Db, owner: PushOwner, keep: number): Promise<void> {
  return run(db)`
    delete from push_subscriptions where id in (
      select id from push_subscriptions where ${isOf(owner)}
      order by refreshed_at desc, created_at desc offset ${keep}
    )`;
}

export function hasPushSubscription(db: Db, caller: Caller, endpoints: string[]): Promise<boolean> {
  return exists(db)`
    select from push_subscriptions where endpoint = any (${endpoints}::text[]) and ${isOf(caller)}`;
}

/** Only the caller's own. Returns false if there was none. */
export function dropPushSubscription(db: Db, caller: Caller, endpoint: string): Promise<boolean> {
  return changed(db)`delete from push_subscriptions where endpoint = ${endpoint} and ${isOf(caller)}`;
}

export function findPushSubscription(
  db: Db,
  caller: Caller,
  endpoint: string,
): Promise<PushSubscription | undefined> {
  return first<PushSubscription>(db)`
    select endpoint, p256dh, auth from push_subscriptions where endpoint = ${endpoint} and ${isOf(caller)}`;
}

/** The subscription is gone, unless the browser subscribed again with other keys. */
export function prunePushSubscription(db: Db, { endpoint, p256dh }: PushSubscription): Promise<void> {
  return run(db)`delete from push_subscriptions where endpoint = ${endpoint} and p256dh = ${p256dh}`;
}

/**
 * After the last retry. A temporary mistake of ours hardly lasts a day, so longer refusals remove the subscription.
 */
export function recordPushRefusal(db: Db, { endpoint, p256dh }: PushSubscription): Promise<void> {
  return run(db)`
    with forgotten as (
      delete from push_subscriptions
      where endpoint = ${endpoint} and p256dh = ${p256dh} and refused_at < now() - interval '1 day'
    )
    update push_subscriptions set refused_at = now()
    where endpoint = ${endpoint} and p256dh = ${p256dh} and refused_at is null`;
}

export function recordPushSuccess(db: Db, { endpoint }: PushSubscription): Promise<void> {
  return run(db)`
    update push_subscriptions set refused_at = null where endpoint = ${endpoint} and refused_at is not null`;
}

function isOf(caller: Caller): Sql {
  return caller.kind === 'visitor'
    ? sql`visitor_id = ${caller.visitorId}`
    : sql`staff_id = ${caller.staffId}`;
}
