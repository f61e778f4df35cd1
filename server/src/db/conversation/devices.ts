import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Visitor } from '../../caller.ts';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../engine/tables.ts';
import type { InviteRow } from '../invite/invites.ts';

type Queries = Kysely<Tables>;

/** How long a browser that lost the answer to a claim or an attach may ask again with what it had before. */
const SECOND_CHANCE = '5 minutes';

/** An invite as one visitor finds it: with the conversation, and with the device it has there. */
export type InviteForVisitor = InviteRow & {
  /** Where the conversation is, which may have been handed over; before there is one, where it will be. */
  handlerAlias: string;
  conversationId: string | null;
  /** Null when this visitor has no device there, or a revoked one. */
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

/** Outside a transaction it is a prepared statement, six times as quick: a crowd may race for one invite. */
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

/** One change of credential at a time for a visitor, who may press two buttons in two tabs. */
export async function lockVisitor(db: Queries, visitorId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${visitorId}, 0))`.execute(db);
}

/**
 * True when this visitor has devices, but all under another credential: what the caller holds was
 * replaced. With `sinceLongAgo`, only if it is also too late to get the replacement by asking again.
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

/** Whoever changes several takes them in one order: a visitor's may be in conversations whose invites are being revoked. */
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

/** A device that was revoked may come back by a new code, but not as the first one. */
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

/** True for a visitor who has claimed or attached something and holds its present credential. */
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

/** The first device first, then in the order in which they joined. */
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

/** Ends one device's place. Answers whether it had one. */
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

/** Whoever has a place in another chat keeps notifications for that one. */
export async function dropPushOfDetached(db: Queries, visitors: readonly string[]): Promise<void> {
  await sql`delete from push_subscriptions s
    where s.visitor_id = any (${visitors}::uuid[])
      and not exists (select from devices d where d.visitor_id = s.visitor_id and d.revoked_at is null)`.execute(
    db,
  );
}

/** Moves the revision of an invite's conversation, so that a gateway that missed the hint finds the change. */
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
