import { type Kysely, sql } from 'kysely';
import { dropPushOfDetached, lockDevices } from '../conversation/devices.ts';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

/** Locks the invite until the commit. */
export async function lockManagedInvite(db: Queries, inviteId: string) {
  return db
    .selectFrom('invites')
    .select(['state', 'label', 'keep_days as keepDays', 'expires_at as expiresAt'])
    .where('id', '=', inviteId)
    .forUpdate()
    .executeTakeFirst();
}

/** A manual replacement: a late retry of the creating chunk must not replace it again. See insertInvites. */
export async function setTokenHash(db: Queries, inviteId: string, tokenHash: Buffer): Promise<void> {
  await db
    .updateTable('invites')
    .set({ token_hash: tokenHash, attempt: null })
    .where('id', '=', inviteId)
    .execute();
}

/** Without days the expiry stays. */
export async function setInvite(
  db: Queries,
  inviteId: string,
  change: { label: string; keepDays: number | null; days: number | undefined },
): Promise<Date> {
  const { label, keepDays, days } = change;
  const row = await db
    .updateTable('invites')
    .set({
      label,
      keep_days: keepDays,
      ...(days !== undefined && { expires_at: sql<Date>`now() + make_interval(days => ${days})` }),
    })
    .where('id', '=', inviteId)
    .returning('expires_at as expiresAt')
    .executeTakeFirstOrThrow();
  return row.expiresAt;
}

/**
 * Consoles search labels, so the conversation's name is indexed again. Also if the conversation is about to be indexed
 * for the first time with the old label.
 */
export async function forgetIndexedLabel(db: Queries, inviteId: string): Promise<void> {
  await sql`insert into search_heads (conversation_id)
    select c.id from conversations c where c.invite_id = ${inviteId}
    on conflict (conversation_id) do update set visitor_name = null`.execute(db);
}

/**
 * In separate statements, so that each sees what the previous one waited for: a faster claim has created a
 * conversation and a device. Locks in the usual order: invite, conversation, device.
 */
export async function revokeAll(
  db: Queries,
  ids: readonly string[],
): Promise<{ revoked: string[]; conversations: { id: string; handlerAlias: string }[] }> {
  const held = await db
    .selectFrom('invites')
    .select('id')
    .where('id', '=', sql<string>`any (${ids}::uuid[])`)
    .where('state', '<>', 'REVOKED')
    .orderBy('id')
    .forUpdate()
    .execute();
  const revoked = held.map(({ id }) => id);
  if (revoked.length === 0) return { revoked, conversations: [] };
  await db
    .updateTable('invites')
    .set({ state: 'REVOKED', revoked_at: sql<Date>`now()`, code_hash: null })
    .where('id', '=', sql<string>`any (${revoked}::uuid[])`)
    .execute();
  return { revoked, conversations: await endDevices(db, revoked) };
}

/** Increments the revision, so that the sweep finds the change. */
async function endDevices(
  db: Queries,
  invites: readonly string[],
): Promise<{ id: string; handlerAlias: string }[]> {
  await db
    .selectFrom('conversations')
    .select('id')
    .where('invite_id', '=', sql<string>`any (${invites}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute();
  const conversations = await db
    .updateTable('conversations')
    .set({ rev: sql<number>`rev + 1` })
    .where('invite_id', '=', sql<string>`any (${invites}::uuid[])`)
    .returning(['id', 'handler_alias as handlerAlias'])
    .execute();
  const ids = conversations.map(({ id }) => id);
  await lockDevices(db, 'conversation_id', ids);
  const devices = await db
    .updateTable('devices')
    .set({ revoked_at: sql<Date>`now()` })
    .where('conversation_id', '=', sql<string>`any (${ids}::uuid[])`)
    .where('revoked_at', 'is', null)
    .returning('visitor_id as visitorId')
    .execute();
  await dropPushOfDetached(
    db,
    devices.map(({ visitorId }) => visitorId),
  );
  return conversations;
}
