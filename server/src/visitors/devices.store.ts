import { HIDDEN_CHANGE } from '../access/access.store.ts';
import { dropVisitorMailOf } from '../mail/visitorMails.store.ts';
import { changed, type Db, first, millis, raw, rows, run } from '../platform/db/query.ts';
import type { Visitor } from '../platform/ports/caller.ts';

/** Serializes changes of a visitor's credential, for example from two tabs. */
export function lockVisitor(db: Db, visitorId: string): Promise<void> {
  return run(db)`select pg_advisory_xact_lock(hashtextextended(${visitorId}, 0))`;
}

/** Locks in a fixed order, to avoid deadlocks with invites being revoked. */
export function lockDevices(
  db: Db,
  by: 'conversation_id' | 'visitor_id',
  ids: readonly string[],
): Promise<void> {
  return run(db)`
    select from devices where ${raw(by)} = any (${ids}::uuid[])
    order by conversation_id, visitor_id for no key update`;
}

export async function replaceCredential(db: Db, visitor: Visitor, credential: Buffer): Promise<void> {
  await lockDevices(db, 'visitor_id', [visitor.visitorId]);
  await run(db)`
    update devices set credential = ${credential}
    where visitor_id = ${visitor.visitorId} and credential = ${visitor.credential}`;
}

/** A revoked device can attach again with a new code, but not as the first one. */
export function addDevice(
  db: Db,
  device: { conversationId: string; visitorId: string; credential: Buffer; first: boolean; browser: string },
): Promise<void> {
  return run(db)`
    insert into devices (conversation_id, visitor_id, credential, first, browser)
    values (${device.conversationId}, ${device.visitorId}, ${device.credential}, ${device.first}, ${device.browser})
    on conflict (conversation_id, visitor_id) do update
    set credential = excluded.credential, first = devices.first and devices.revoked_at is null,
      attached_at = now(), revoked_at = null, browser = excluded.browser`;
}

export type DeviceRow = { visitorId: string; first: boolean; browser: string; joinedAt: number };

/** The first device first, then in order of attaching. */
export function readDevices(db: Db, conversationId: string): Promise<DeviceRow[]> {
  return rows<DeviceRow>(db)`
    select visitor_id as "visitorId", first, browser,
      ${millis('attached_at')} as "joinedAt"
    from devices where conversation_id = ${conversationId} and revoked_at is null
    order by first desc, attached_at, visitor_id`;
}

/** Returns false if there was none. */
export async function revokeDevice(db: Db, conversationId: string, visitorId: string): Promise<boolean> {
  const revoked = await changed(db)`
    update devices set revoked_at = now()
    where conversation_id = ${conversationId} and visitor_id = ${visitorId} and revoked_at is null`;
  await dropPushOfDetached(db, [visitorId]);
  await dropVisitorMailOf(db, conversationId, visitorId);
  return revoked;
}

/** Keeps notifications of visitors with a device in another conversation. */
export function dropPushOfDetached(db: Db, visitors: readonly string[]): Promise<void> {
  return run(db)`
    delete from push_subscriptions s where s.visitor_id = any (${visitors}::uuid[])
      and not exists (select from devices d where d.visitor_id = s.visitor_id and d.revoked_at is null)`;
}

type Touched = { id: string; handlerAlias: string };

/** Increments the revision, so that the sweep finds the change. Everybody may notice it. Announce it after the commit. */
export function touchConversation(db: Db, inviteId: string): Promise<Touched | undefined> {
  return first<Touched>(db)`
    update conversations set rev = rev + 1 where invite_id = ${inviteId}
    returning id, handler_alias as "handlerAlias"`;
}

/** The same for a change that only staff may notice. `announce.conversationChanged` sends the visitor nothing then. */
export function touchForStaff(db: Db, inviteId: string): Promise<Touched | undefined> {
  return first<Touched>(db)`
    update conversations set ${HIDDEN_CHANGE} where invite_id = ${inviteId}
    returning id, handler_alias as "handlerAlias"`;
}
