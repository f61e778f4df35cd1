import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Visitor } from '../caller.ts';
import type { Database } from './database.ts';
import type { InviteRow } from './invites.ts';
import type { Tables } from './tables.ts';

type Queries = Kysely<Tables>;

/** How long a browser that lost the answer to a claim or an attach may ask again with what it had before. */
const SECOND_CHANCE = '5 minutes';

/** An invite as one visitor finds it: with the conversation, and with the device it has there. */
export type Place = InviteRow & {
  /** Where the conversation is, which may have been handed over; before there is one, where it will be. */
  handlerAlias: string;
  conversationId: string | null;
  /** Null when this visitor has no device there, or a revoked one. */
  credential: Buffer | null;
  first: boolean | null;
  attachedJustNow: boolean | null;
};

const PLACE = `
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
export async function findPlace(
  db: Database | Queries,
  tokenHash: Buffer,
  visitorId: string,
): Promise<Place | undefined> {
  const values = [tokenHash, visitorId];
  const { rows } =
    'pool' in db
      ? await db.pool.query<Place>({ name: 'place', text: PLACE, values })
      : await db.executeQuery<Place>(CompiledQuery.raw(PLACE, values));
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
export async function isReplaced(
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

export async function moveDevices(db: Queries, visitor: Visitor, credential: Buffer): Promise<void> {
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
  device: { conversationId: string; visitorId: string; credential: Buffer; first: boolean },
): Promise<void> {
  await db
    .insertInto('devices')
    .values({
      conversation_id: device.conversationId,
      visitor_id: device.visitorId,
      credential: device.credential,
      first: device.first,
    })
    .onConflict((conflict) =>
      conflict.columns(['conversation_id', 'visitor_id']).doUpdateSet({
        credential: device.credential,
        first: sql<boolean>`devices.first and devices.revoked_at is null`,
        attached_at: sql<Date>`now()`,
        revoked_at: null,
      }),
    )
    .execute();
}

/** True for a visitor who has claimed or attached something and holds its present credential. */
export async function hasAnyPlace(db: Queries, visitor: Visitor): Promise<boolean> {
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
