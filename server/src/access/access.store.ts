import type { ConversationStatus, NoAccess } from '@settee/protocol/model/conversation';
import type { DeskHours } from '@settee/protocol/model/hours';
import { CODE_FAILURES_OF_LINK, CODE_FAILURES_TO_VOID } from '@settee/protocol/model/invite';
import { profileOf } from '../platform/db/profileOf.ts';
import { type Db, exists, first, millis, one, rows, type Sql, sql } from '../platform/db/query.ts';
import type { Visitor } from '../platform/ports/caller.ts';

export type ConversationRow = {
  id: string;
  inviteId: string;
  handlerAlias: string;
  /** The profile of the desk. Never sent to visitors. */
  profile: string;
  visitorId: string;
  visitorName: string;
  status: ConversationStatus;
  createdAt: number;
  lastMessageAt: number;
  head: number;
  rev: number;
  /** Part of `rev`: changes that the visitor must not notice. */
  hiddenChanges: number;
  unread: number;
  visitorSeen: number;
  ownerSeen: number;
  visitorSeenAt: number | null;
  ownerSeenAt: number | null;
  /** Closed, but a visitor's message still reopens it. */
  reopens: boolean;
  /** Visitors may delete their conversations. */
  canErase: boolean;
  /** Visitors may leave an e-mail address. */
  canMail: boolean;
  noAccess: NoAccess | null;
};

/** Only for the first device. */
type ForDevice = {
  /** Null if locked or void. */
  code: { codeHash: Buffer; codeNumber: number } | null;
  joinedAt: number | null;
};

const COLUMNS = sql`c.id, c.invite_id as "inviteId", c.handler_alias as "handlerAlias", b.slug as profile,
  c.visitor_id as "visitorId", c.visitor_name as "visitorName", c.status,
  ${millis('c.created_at')} as "createdAt", ${millis('c.last_message_at')} as "lastMessageAt",
  c.last_seq as head, c.rev, c.hidden_changes as "hiddenChanges", c.unread, c.visitor_seen as "visitorSeen", c.owner_seen as "ownerSeen",
  ${millis('c.visitor_seen_at')} as "visitorSeenAt", ${millis('c.owner_seen_at')} as "ownerSeenAt",
  c.status = 'closed' and c.closed_at + make_interval(days => b.reopen_days) > now() as reopens,
  b.visitor_erase as "canErase", b.visitor_mail as "canMail"`;

/** Increments the revision, so that the sweep finds the change, for a change that only staff may notice. */
export const HIDDEN_CHANGE = sql`rev = rev + 1, hidden_changes = hidden_changes + 1`;

/** A revocation removes every device, for good. A removed device can come back with a new code. */
export const NO_ACCESS = sql`case
    when (select i.state from invites i where i.id = c.invite_id) = 'REVOKED' then 'revoked'
    when (select bool_and(d.revoked_at is not null) from devices d where d.conversation_id = c.id) then 'removed'
  end as "noAccess"`;

type VisitorsRow = ConversationRow & {
  isFirstDevice: boolean;
  awayMessage: string | null;
  /** Of the conversation's desk. */
  hours: DeskHours | null;
};

/** The conversation, if the visitor has a device there. The query checks ownership. */
export async function findForVisitor(
  db: Db,
  conversationId: string,
  visitor: { visitorId: string; credential: Buffer },
): Promise<(VisitorsRow & ForDevice) | undefined> {
  type Row = VisitorsRow & Pick<ForDevice, 'joinedAt'> & { codeHash: Buffer | null; codeNumber: number };
  const row = await first<Row>(db, 'conversation-for-visitor')`
    select ${COLUMNS}, null as "noAccess", d.first as "isFirstDevice", b.away_message as "awayMessage",
      case when h.alias is not null then jsonb_build_object('timeZone', h.time_zone, 'week', h.week) end as hours,
      i.code_number as "codeNumber",
      case when i.code_failures_in_life < ${CODE_FAILURES_TO_VOID}
        and i.code_failures_of_link < ${CODE_FAILURES_OF_LINK}
        and coalesce(i.code_locked_until <= now(), true) then i.code_hash end as "codeHash",
      case when d.first then (
        select ${millis('max(o.attached_at)')} from devices o
        where o.conversation_id = c.id and not o.first and o.revoked_at is null
      ) end as "joinedAt"
    from conversations c
    join devices d on d.conversation_id = c.id and d.visitor_id = ${visitor.visitorId}
      and d.credential = ${visitor.credential} and d.revoked_at is null
    join invites i on i.id = c.invite_id
    left join desk_hours h on h.alias = c.handler_alias
    ${profileOf(sql`c.handler_alias`)}
    where c.id = ${conversationId}`;
  if (row === undefined) return undefined;
  const { codeHash, codeNumber, ...rest } = row;
  return { ...rest, code: codeHash && { codeHash, codeNumber } };
}

/** Desks that somebody may work at; null means every desk. */
export type Reach = readonly string[] | null;

/** Whether the alias in a column is within reach. */
export function isWithin(reach: Reach, alias: Sql): Sql {
  return sql`(${reach}::text[] is null or ${alias} = any (${reach}::text[]))`;
}

/** The conversation, if its desk is within reach. */
export function findForDesk(
  db: Db,
  conversationId: string,
  reach: Reach,
): Promise<ConversationRow | undefined> {
  return first<ConversationRow>(db, 'conversation-for-desk')`
    select ${COLUMNS}, ${NO_ACCESS} from conversations c ${profileOf(sql`c.handler_alias`)}
    where c.id = ${conversationId} and ${isWithin(reach, sql`c.handler_alias`)}`;
}

type ConversationHead = { id: string; head: number; rev: number; handlerAlias: string };

/** Current heads, which the sweep compares with what was delivered. */
export function readHeads(db: Db, ids: string[]): Promise<ConversationHead[]> {
  return rows<ConversationHead>(db, 'conversation-heads')`
    select c.id, c.last_seq as head, c.rev, c.handler_alias as "handlerAlias"
    from conversations c where c.id = any (${ids})`;
}

/** How long a browser that lost the answer to a claim or attach may retry with its old credential. */
export const SECOND_CHANCE = sql`interval '5 minutes'`;

/**
 * True if all of the visitor's devices have another credential: the caller's was replaced. With `sinceLongAgo`, only
 * if it is too late to retry for the replacement.
 */
export async function isCredentialReplaced(
  db: Db,
  visitor: Visitor,
  { sinceLongAgo = false } = {},
): Promise<boolean> {
  const found = await one<{ current: boolean | null; justNow: boolean | null }>(db)`
    select bool_or(credential = ${visitor.credential}) as current,
      bool_or(attached_at > now() - ${SECOND_CHANCE}) as "justNow"
    from devices where visitor_id = ${visitor.visitorId}`;
  return found.current === false && !(sinceLongAgo && found.justNow === true);
}

export function hasDevice(db: Db, visitor: Visitor): Promise<boolean> {
  return exists(db)`
    select from devices
    where visitor_id = ${visitor.visitorId} and credential = ${visitor.credential} and revoked_at is null limit 1`;
}
