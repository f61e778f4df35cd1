import type { PushSubscription } from '@settee/protocol/push';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Caller, Staff } from '../caller.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

type Queries = Kysely<Tables>;

/** Someone whom notifications may reach: a visitor, or a member of staff at a desk. */
export type PushOwner = Exclude<Caller, Staff> | (Staff & { alias: string });

/** The newest push token of a desk, of those who are signed in; null while notifications are off. */
export async function findPushToken(db: Database, alias: string): Promise<string | null> {
  const row = await db.sql
    .selectFrom('push_subscriptions as s')
    .innerJoin('staff_sessions as session', 'session.id', 's.session_id')
    .innerJoin('staff', 'staff.id', 's.staff_id')
    .select('s.endpoint')
    .where('s.alias', '=', alias)
    .whereRef('staff.alias', '=', 's.alias')
    .where('staff.active', '=', true)
    .where('session.revoked_at', 'is', null)
    .where('session.expires_at', '>', sql<Date>`now()`)
    .orderBy('s.refreshed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.endpoint ?? null;
}

/** One change at a time for a person, so that no two devices slip past the limit together. */
export async function lockPushOwner(db: Queries, owner: PushOwner): Promise<void> {
  const id = owner.kind === 'visitor' ? owner.visitorId : owner.staffId;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`push ${id}`}, 0))`.execute(db);
}

/** A browser is one endpoint: whoever subscribes with it last has it. */
export async function upsertPushSubscription(
  db: Queries,
  owner: PushOwner,
  { endpoint, p256dh, auth }: PushSubscription,
): Promise<void> {
  const whose =
    owner.kind === 'visitor'
      ? { visitor_id: owner.visitorId, alias: null, staff_id: null, session_id: null }
      : { visitor_id: null, alias: owner.alias, staff_id: owner.staffId, session_id: owner.sessionId };
  await db
    .insertInto('push_subscriptions')
    .values({ endpoint, p256dh, auth, ...whose })
    .onConflict((conflict) =>
      conflict
        .column('endpoint')
        .doUpdateSet({ p256dh, auth, ...whose, refreshed_at: sql<Date>`clock_timestamp()` }),
    )
    .execute();
}

/** All but the newest of a person's. */
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

/** Nobody else's: an endpoint that is not the caller's is left alone. */
export async function dropPushSubscription(db: Queries, caller: Caller, endpoint: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('endpoint', '=', endpoint).where(isOf(caller)).execute();
}

/** Who signs out on a device is not told there any more. */
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

/** The browser is gone. Unless it has subscribed again meanwhile, with other keys: that one stays. */
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

function isOf(caller: Caller) {
  return (eb: ExpressionBuilder<Tables, 'push_subscriptions'>) =>
    caller.kind === 'visitor' ? eb('visitor_id', '=', caller.visitorId) : eb('staff_id', '=', caller.staffId);
}
