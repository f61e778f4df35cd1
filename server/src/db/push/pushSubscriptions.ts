import type { PushSubscription } from '@settee/protocol/model/push';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Caller, Staff } from '../../caller.ts';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

/** A visitor, or a staff member at a desk. */
export type PushOwner = Exclude<Caller, Staff> | PushStaff;
export type PushStaff = Staff & { alias: string };

/** The caller's newest push token at the desk; null while notifications are off. */
export async function findPushToken(db: Database, { staffId, alias }: PushStaff): Promise<string | null> {
  const row = await db.sql
    .selectFrom('push_subscriptions as s')
    .innerJoin('staff_sessions as session', 'session.id', 's.session_id')
    .select('s.endpoint')
    .where('s.staff_id', '=', staffId)
    .where('s.alias', '=', alias)
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', sql<Date>`now()`)
    .orderBy('s.refreshed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.endpoint ?? null;
}

/** Serializes changes per person, because of the limit of devices. */
export async function lockPushOwner(db: Queries, owner: PushOwner): Promise<void> {
  const id = owner.kind === 'visitor' ? owner.visitorId : owner.staffId;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`push ${id}`}, 0))`.execute(db);
}

/**
 * The last subscriber owns an endpoint. Taking it from another person requires the browser's keys, so that knowing an
 * endpoint is not enough. Returns whether it was stored.
 */
export async function upsertPushSubscription(
  db: Queries,
  owner: PushOwner,
  { endpoint, p256dh, auth }: PushSubscription,
): Promise<boolean> {
  const whose =
    owner.kind === 'visitor'
      ? { visitor_id: owner.visitorId, alias: null, staff_id: null, session_id: null }
      : { visitor_id: null, alias: owner.alias, staff_id: owner.staffId, session_id: owner.sessionId };
  const result = await db
    .insertInto('push_subscriptions')
    .values({ endpoint, p256dh, auth, ...whose })
    .onConflict((conflict) =>
      conflict
        .column('endpoint')
        .doUpdateSet({
          p256dh,
          auth,
          ...whose,
          refreshed_at: sql<Date>`clock_timestamp()`,
          refused_at: null,
        })
        .where((former) =>
          former.or([
            owner.kind === 'visitor'
              ? former('push_subscriptions.visitor_id', '=', owner.visitorId)
              : former('push_subscriptions.staff_id', '=', owner.staffId),
            former.and([
              former('push_subscriptions.p256dh', '=', p256dh),
              former('push_subscriptions.auth', '=', auth),
            ]),
          ]),
        ),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Keeps only the newest of a person. */
export async function dropOldPushSubscriptions(db: Queries, owner: PushOwner, keep: number): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('id', 'in', (query) =>
      query
        .selectFrom('push_subscriptions')
        .select('id')
        .where(isOf(owner))
        .orderBy('refreshed_at', 'desc')
        .orderBy('created_at', 'desc')
        .offset(keep),
    )
    .execute();
}

/** Whether the caller already has one of these endpoints. */
export async function hasPushSubscription(
  db: Queries,
  caller: Caller,
  endpoints: string[],
): Promise<boolean> {
  const row = await db
    .selectFrom('push_subscriptions')
    .select('id')
    .where('endpoint', 'in', endpoints)
    .where(isOf(caller))
    .executeTakeFirst();
  return row !== undefined;
}

/** Only the caller's own. Returns false if there was none. */
export async function dropPushSubscription(db: Queries, caller: Caller, endpoint: string): Promise<boolean> {
  const result = await db
    .deleteFrom('push_subscriptions')
    .where('endpoint', '=', endpoint)
    .where(isOf(caller))
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Ends notifications on the device that signs out. */
export async function dropPushOfSession(db: Queries, tokenHash: Buffer): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('session_id', 'in', (query) =>
      query.selectFrom('staff_sessions').select('id').where('token_hash', '=', tokenHash),
    )
    .execute();
}

export async function findPushSubscription(
  db: Queries,
  caller: Caller,
  endpoint: string,
): Promise<PushSubscription | undefined> {
  return db
    .selectFrom('push_subscriptions')
    .select(['endpoint', 'p256dh', 'auth'])
    .where('endpoint', '=', endpoint)
    .where(isOf(caller))
    .executeTakeFirst();
}

/** The subscription is gone, unless the browser subscribed again with other keys. */
export async function prunePushSubscription(
  db: Queries,
  { endpoint, p256dh }: PushSubscription,
): Promise<void> {
  await db
    .deleteFrom('push_subscriptions')
    .where('endpoint', '=', endpoint)
    .where('p256dh', '=', p256dh)
    .execute();
}

/**
 * After the last retry. A temporary mistake of ours hardly lasts a day, so longer refusals remove the subscription.
 */
export async function recordPushRefusal(db: Database, { endpoint, p256dh }: PushSubscription): Promise<void> {
  await db.pool.query(
    `with forgotten as (
       delete from push_subscriptions
       where endpoint = $1 and p256dh = $2 and refused_at < now() - interval '1 day'
     )
     update push_subscriptions set refused_at = now() where endpoint = $1 and p256dh = $2 and refused_at is null`,
    [endpoint, p256dh],
  );
}

export async function recordPushSuccess(db: Queries, { endpoint }: PushSubscription): Promise<void> {
  await db
    .updateTable('push_subscriptions')
    .set({ refused_at: null })
    .where('endpoint', '=', endpoint)
    .where('refused_at', 'is not', null)
    .execute();
}

function isOf(caller: Caller) {
  return (eb: ExpressionBuilder<Tables, 'push_subscriptions'>) =>
    caller.kind === 'visitor' ? eb('visitor_id', '=', caller.visitorId) : eb('staff_id', '=', caller.staffId);
}
