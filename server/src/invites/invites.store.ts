import {
  CODE_FAILURES_OF_LINK,
  CODE_FAILURES_TO_LOCK,
  CODE_FAILURES_TO_VOID,
  CODE_LOCK_MINUTES,
  type InviteState,
} from '@settee/protocol/model/invite';
import { SECOND_CHANCE } from '../access/access.store.ts';
import { type Db, first, one, run, seconds, sql } from '../platform/db/query.ts';
import { recordEvent } from '../webhooks/webhookEvents.store.ts';

export type InviteRow = {
  inviteId: string;
  state: InviteState;
  /** Expired before it was bound; a bound invite does not expire. */
  expired: boolean;
};

export function findInvite(db: Db, tokenHash: Buffer): Promise<InviteRow | undefined> {
  return first<InviteRow>(db)`
    select id as "inviteId", state, state in ('NEW', 'SEEN') and expires_at <= now() as expired
    from invites where token_hash = ${tokenHash}`;
}

export function insertInvite(
  db: Db,
  { tokenHash, alias, label, days }: { tokenHash: Buffer; alias: string; label: string; days: number },
): Promise<{ inviteId: string; expiresAt: Date }> {
  return one<{ inviteId: string; expiresAt: Date }>(db)`
    insert into invites (token_hash, handler_alias, label, expires_at)
    values (${tokenHash}, ${alias}, ${label}, now() + make_interval(days => ${days}))
    returning id as "inviteId", expires_at as "expiresAt"`;
}

export function markInviteSeen(db: Db, inviteId: string): Promise<void> {
  return run(db)`
    with seen as (
      update invites set state = 'SEEN', seen_at = now() where id = ${inviteId} and state = 'NEW'
      returning id as invite_id, null::uuid as conversation_id
    )
    ${recordEvent('invite.opened', sql`seen`)}`;
}

/** Serializes attempts with a code. */
export function lockInvite(db: Db, inviteId: string): Promise<void> {
  return run(db)`select from invites where id = ${inviteId} for update`;
}

type Code = { codeHash: Buffer; codeNumber: number };

/**
 * Binds the invite to a new conversation; undefined if it is not available. The update waits for the row's lock and
 * checks the state again: only one of all concurrent claims finds it unbound.
 */
export function bindInvite(
  db: Db,
  { inviteId, visitorId, codeHash, codeNumber }: Code & { inviteId: string; visitorId: string },
): Promise<{ conversationId: string; handlerAlias: string } | undefined> {
  return first<{ conversationId: string; handlerAlias: string }>(db)`
    with bound as (
      update invites
      set state = 'BOUND', bound_at = now(), code_hash = ${codeHash}, code_number = ${codeNumber}
      where id = ${inviteId} and state in ('NEW', 'SEEN') and expires_at > now()
      returning id, handler_alias
    )
    , started as (
      insert into conversations (invite_id, handler_alias, visitor_id)
      select id, handler_alias, ${visitorId}::uuid from bound
      returning id as conversation_id, invite_id, handler_alias
    ), recorded as (${recordEvent('invite.started', sql`started`)})
    select conversation_id as "conversationId", handler_alias as "handlerAlias" from started`;
}

/** Sets a new code and resets the failures. */
export function setCode(db: Db, inviteId: string, { codeHash, codeNumber }: Code): Promise<void> {
  return run(db)`
    update invites set code_hash = ${codeHash}, code_number = ${codeNumber}, code_failures = 0,
      code_failures_in_life = 0, code_locked_until = null
    where id = ${inviteId}`;
}

type StoredCode = {
  codeHash: Buffer | null;
  codeNumber: number;
  /** Seconds until the code can be tried again; 0 if it can. */
  lockedSeconds: number;
  void: boolean;
  /** The link had too many wrong codes, so only staff can make a new one. */
  isSpent: boolean;
};

/** The code and whether it can be tried. It is void after too many failures, until a new one is created. */
export function readCode(db: Db, inviteId: string): Promise<StoredCode> {
  return one<StoredCode>(db)`
    select code_hash as "codeHash", code_number as "codeNumber",
      coalesce(greatest(ceil(${seconds('code_locked_until - now()')}), 0), 0)::integer as "lockedSeconds",
      code_hash is null or code_failures_in_life >= ${CODE_FAILURES_TO_VOID}
        or code_failures_of_link >= ${CODE_FAILURES_OF_LINK} as void,
      code_failures_of_link >= ${CODE_FAILURES_OF_LINK} as "isSpent"
    from invites where id = ${inviteId}`;
}

/** The last failure before the lock also resets the count for the time after it. */
export function countCodeFailure(db: Db, inviteId: string): Promise<void> {
  const locks = sql`code_failures + 1 >= ${CODE_FAILURES_TO_LOCK}`;
  return run(db)`
    update invites set code_failures = case when ${locks} then 0 else code_failures + 1 end,
      code_failures_in_life = code_failures_in_life + 1, code_failures_of_link = code_failures_of_link + 1,
      code_locked_until = case when ${locks} then now() + make_interval(mins => ${CODE_LOCK_MINUTES}) end
    where id = ${inviteId}`;
}

/** Staff gave the visitor a new code or link, so earlier failures do not count. */
export function forgetLinkFailures(db: Db, inviteId: string): Promise<void> {
  return run(db)`update invites set code_failures_of_link = 0 where id = ${inviteId}`;
}

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

/** A prepared statement, six times as fast: many may race for one invite. */
export function findInviteForVisitor(
  db: Db,
  tokenHash: Buffer,
  visitorId: string,
): Promise<InviteForVisitor | undefined> {
  return first<InviteForVisitor>(db, 'place')`
    select invites.id as "inviteId", invites.state,
      coalesce(conversations.handler_alias, invites.handler_alias) as "handlerAlias",
      invites.state in ('NEW', 'SEEN') and invites.expires_at <= now() as expired,
      conversations.id as "conversationId", devices.credential, devices.first,
      devices.attached_at > now() - ${SECOND_CHANCE} as "attachedJustNow"
    from invites
    left join conversations on conversations.invite_id = invites.id
    left join devices on devices.conversation_id = conversations.id
      and devices.visitor_id = ${visitorId} and devices.revoked_at is null
    where invites.token_hash = ${tokenHash}`;
}
