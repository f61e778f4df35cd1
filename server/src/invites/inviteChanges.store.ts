import type { InviteState } from '@settee/protocol/model/invite';
import { dropVisitorMails } from '../mail/visitorMails.store.ts';
import { column, type Db, first, one, rows, run } from '../platform/db/query.ts';
import { dropPushOfDetached, lockDevices } from '../visitors/devices.store.ts';

export type LockedInvite = { state: InviteState; label: string; keepDays: number | null; expiresAt: Date };

/** Locks the invite until the commit. */
export function lockManagedInvite(db: Db, inviteId: string): Promise<LockedInvite | undefined> {
  return first<LockedInvite>(db)`
    select state, label, keep_days as "keepDays", expires_at as "expiresAt"
    from invites where id = ${inviteId} for update`;
}

/** A manual replacement: a late retry of the creating chunk must not replace it again. See insertInvites. */
export function setTokenHash(db: Db, inviteId: string, tokenHash: Buffer): Promise<void> {
  return run(db)`
    update invites set token_hash = ${tokenHash}, attempt = null, code_failures_of_link = 0 where id = ${inviteId}`;
}

/** Without days the expiry stays. */
export async function setInvite(
  db: Db,
  inviteId: string,
  change: { label: string; keepDays: number | null; days: number | undefined },
): Promise<Date> {
  const { expiresAt } = await one<{ expiresAt: Date }>(db)`
    update invites set label = ${change.label}, keep_days = ${change.keepDays},
      expires_at = coalesce(now() + make_interval(days => ${change.days}::integer), expires_at)
    where id = ${inviteId} returning expires_at as "expiresAt"`;
  return expiresAt;
}

/**
 * Consoles search labels, so the conversation's name is indexed again. Also if the conversation is about to be indexed
 * for the first time with the old label. Marked even if it is open: it may be ending.
 */
export function forgetIndexedLabel(db: Db, inviteId: string): Promise<void> {
  return run(db)`
    with labelled as (
      select c.id, c.handler_alias from conversations c where c.invite_id = ${inviteId}
    ), marked as (
      insert into search_due (alias, conversation_id) select handler_alias, id from labelled
    )
    insert into search_heads (conversation_id) select id from labelled
    on conflict (conversation_id) do update set visitor_name = null`;
}

type Changed = { id: string; handlerAlias: string };

/**
 * With a key, only invites that it created. In separate statements, so that each sees what the previous one waited for: a faster claim has created a
 * conversation and a device. Locks in the usual order: invite, conversation, device.
 */
export async function revokeAll(
  db: Db,
  ids: readonly string[],
  keyId: string | null = null,
): Promise<{ revoked: string[]; conversations: Changed[] }> {
  const revoked = await column<string>(db)`
    select id from invites
    where id = any (${ids}::uuid[]) and state <> 'REVOKED' and (${keyId}::uuid is null or created_by_key = ${keyId})
    order by id for update`;
  if (revoked.length === 0) return { revoked, conversations: [] };
  await run(db)`
    update invites set state = 'REVOKED', revoked_at = now(), code_hash = null
    where id = any (${revoked}::uuid[])`;
  return { revoked, conversations: await endDevices(db, revoked) };
}

/** Nobody waits any more who could read an answer. Increments the revision, so that the sweep finds the change. */
async function endDevices(db: Db, invites: readonly string[]): Promise<Changed[]> {
  await run(db)`select from conversations where invite_id = any (${invites}::uuid[]) order by id for update`;
  const conversations = await rows<Changed>(db)`
    update conversations set rev = rev + 1, waiting_since = null where invite_id = any (${invites}::uuid[])
    returning id, handler_alias as "handlerAlias"`;
  const ids = conversations.map(({ id }) => id);
  await lockDevices(db, 'conversation_id', ids);
  const visitors = await column<string>(db)`
    update devices set revoked_at = now() where conversation_id = any (${ids}::uuid[]) and revoked_at is null
    returning visitor_id`;
  await dropPushOfDetached(db, visitors);
  await dropVisitorMails(db, ids);
  return conversations;
}
