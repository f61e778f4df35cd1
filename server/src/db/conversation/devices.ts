import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Visitor } from '../../caller.ts';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../engine/tables.ts';
import type { InviteRow } from '../invite/invites.ts';

type Queries = Kysely<Tables>;

/** How long a browser that lost the answer to a claim or attach may retry with its old credential. */
const SECOND_CHANCE = '5 minutes';

/** An invite with its conversation and this visitor's device there. */
export type InviteForVisitor = InviteRow & {
  /** The conversation's desk, or the invite's before it is claimed. */
  handlerAlias: string;
  conversationId: string | null;
  /** Null if the visitor has no device there, or a revoked one. */
  credential: Buffer | null;
  first: boolean | null;
  attachedJustNow: boolean | null;
};

const INVITE_FOR_VISITOR = `
  select invites.id as "inviteId", invites.state,
    coalesce(conversations.handler_alias, invites.handler_alias) as "handlerAlias",
    invites.state in ('NEW', 'SEEN') and invites.expires_at <= now() as expired,
    conversations.id as "conversationId", devices.credential, devices.first,
    devices.attached_at > now() - interval '${SECOND_CHANCE}' as "attachedJustNow"
  from invites
  left join conversations on conversations.invite_id = invites.id
  left join devices on devices.conversation_id = conversations.id
    and devices.visitor_id = $2 and devices.revoked_at is null
  where invites.token_hash = $1`;

/** A prepared statement outside of transactions, six times as fast: many may race for one invite. */
export async function findInviteForVisitor(
  db: Database | Queries,
  tokenHash: Buffer,
  visitorId: string,
): Promise<InviteForVisitor | undefined> {
  const values = [tokenHash, visitorId];
  const { rows } =
    'pool' in db
      ? await db.pool.query<InviteForVisitor>({ name: 'place', text: INVITE_FOR_VISITOR, values })
      : await db.executeQuery<InviteForVisitor>(CompiledQuery.raw(INVITE_FOR_VISITOR, values));
  return rows[0];
}

/** Serializes changes of a visitor's credential, for example from two tabs. */
export async function lockVisitor(db: Queries, visitorId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${visitorId}, 0))`.execute(db);
}

/**
 * True if all of the visitor's devices have another credential: the caller's was replaced. With `sinceLongAgo`, only
 * if it is too late to retry for the replacement.
 */
export async function isCredentialReplaced(
  db: Queries,
  visitor: Visitor,
  { sinceLongAgo = false } = {},
): Promise<boolean> {
  const found = await db
    .selectFrom('devices')
    .select([
      sql<boolean | null>`bool_or(credential = ${visitor.credential})`.as('current'),
      sql<boolean | null>`bool_or(attached_at > now() - ${SECOND_CHANCE}::interval)`.as('justNow'),
    ])
    .where('visitor_id', '=', visitor.visitorId)
    .executeTakeFirstOrThrow();
  return found.current === false && !(sinceLongAgo && found.justNow === true);
}

/** Locks in a fixed order, to avoid deadlocks with invites being revoked. */
export async function lockDevices(
  db: Queries,
  by: 'conversation_id' | 'visitor_id',
  ids: readonly string[],
): Promise<void> {
  await db
    .selectFrom('devices')
    .select('conversation_id')
    .where(by, '=', sql<string>`any (${ids}::uuid[])`)
    .orderBy('conversation_id')
    .orderBy('visitor_id')
    .forNoKeyUpdate()
    .execute();
}

export async function replaceCredential(db: Queries, visitor: Visitor, credential: Buffer): Promise<void> {
  await lockDevices(db, 'visitor_id', [visitor.visitorId]);
  await db
    .updateTable('devices')
    .set({ credential })
    .where('visitor_id', '=', visitor.visitorId)
    .where('credential', '=', visitor.credential)
    .execute();
}

/** A revoked device can attach again with a new code, but not as the first one. */
export async function addDevice(
  db: Queries,
  device: {
    conversationId: string;
    visitorId: string;
    credential: Buffer;
    first: boolean;
    browser: string;
  },
): Promise<void> {
  await db
    .insertInto('devices')
    .values({
      conversation_id: device.conversationId,
      visitor_id: device.visitorId,
      credential: device.credential,
      first: device.first,
      browser: device.browser,
    })
    .onConflict((conflict) =>
      conflict.columns(['conversation_id', 'visitor_id']).doUpdateSet({
        credential: device.credential,
        first: sql<boolean>`devices.first and devices.revoked_at is null`,
        attached_at: sql<Date>`now()`,
        revoked_at: null,
        browser: device.browser,
      }),
    )
    .execute();
}

/** True if the visitor has any device with this credential. */
export async function hasDevice(db: Queries, visitor: Visitor): Promise<boolean> {
  const found = await db
    .selectFrom('devices')
    .select('conversation_id')
    .where('visitor_id', '=', visitor.visitorId)
    .where('credential', '=', visitor.credential)
    .where('revoked_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

export type DeviceRow = { visitorId: string; first: boolean; browser: string; joinedAt: number };

/** The first device first, then in order of attaching. */
export async function readDevices(db: Queries, conversationId: string): Promise<DeviceRow[]> {
  const rows = await db
    .selectFrom('devices')
    .select(['visitor_id as visitorId', 'first', 'browser', 'attached_at as attachedAt'])
    .where('conversation_id', '=', conversationId)
    .where('revoked_at', 'is', null)
    .orderBy('first', 'desc')
    .orderBy('attached_at')
    .orderBy('visitor_id')
    .execute();
  return rows.map(({ attachedAt, ...row }) => ({ ...row, joinedAt: attachedAt.getTime() }));
}

/** Returns false if there was none. */
export async function revokeDevice(db: Queries, conversationId: string, visitorId: string): Promise<boolean> {
  const revoked = await db
    .updateTable('devices')
    .set({ revoked_at: sql<Date>`now()` })
    .where('conversation_id', '=', conversationId)
    .where('visitor_id', '=', visitorId)
    .where('revoked_at', 'is', null)
    .returning('visitor_id')
    .executeTakeFirst();
  await dropPushOfDetached(db, [visitorId]);
  return revoked !== undefined;
}

/** Keeps notifications of visitors with a device in another conversation. */
export async function dropPushOfDetached(db: Queries, visitors: readonly string[]): Promise<void> {
  await sql`delete from push_subscriptions s
    where s.visitor_id = any (${visitors}::uuid[])
      and not exists (select from devices d where d.visitor_id = s.visitor_id and d.revoked_at is null)`.execute(
    db,
  );
}

/** Increments the revision, so that the sweep finds the change. */
export async function touchConversation(
  db: Queries,
  inviteId: string,
): Promise<{ id: string; handlerAlias: string } | undefined> {
  return db
    .updateTable('conversations')
    .set({ rev: sql<number>`rev + 1` })
    .where('invite_id', '=', inviteId)
    .returning(['id', 'handler_alias as handlerAlias'])
    .executeTakeFirst();
}
