import type { ConversationStatus } from '@settee/protocol/model/conversation';
import type { DeskHours } from '@settee/protocol/model/hours';
import { CODE_FAILURES_TO_VOID } from '@settee/protocol/model/invite';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../engine/tables.ts';

export type ConversationRow = {
  id: string;
  inviteId: string;
  handlerAlias: string;
  visitorId: string;
  visitorName: string;
  status: ConversationStatus;
  createdAt: number;
  lastMessageAt: number;
  head: number;
  rev: number;
  unread: number;
  visitorSeen: number;
  ownerSeen: number;
  visitorSeenAt: number | null;
  ownerSeenAt: number | null;
  /** Closed, but a visitor's message still reopens it. */
  reopens: boolean;
  /** Visitors may delete their conversations. */
  canErase: boolean;
};

/** Only for the first device. */
type ForDevice = {
  /** Null if locked or void. */
  code: { codeHash: Buffer; codeNumber: number } | null;
  joinedAt: number | null;
};

const COLUMNS = `c.id, c.invite_id as "inviteId", c.handler_alias as "handlerAlias", c.visitor_id as "visitorId",
  c.visitor_name as "visitorName", c.status,
  floor(extract(epoch from c.created_at) * 1000)::float8 as "createdAt",
  floor(extract(epoch from c.last_message_at) * 1000)::float8 as "lastMessageAt",
  c.last_seq as head, c.rev, c.unread, c.visitor_seen as "visitorSeen", c.owner_seen as "ownerSeen",
  floor(extract(epoch from c.visitor_seen_at) * 1000)::float8 as "visitorSeenAt",
  floor(extract(epoch from c.owner_seen_at) * 1000)::float8 as "ownerSeenAt",
  c.status = 'closed' and c.closed_at + make_interval(days => b.reopen_days) > now() as reopens,
  b.visitor_erase as "canErase"`;

type VisitorsRow = ConversationRow & {
  isFirstDevice: boolean;
  awayMessage: string | null;
  /** Of the conversation's desk. */
  hours: DeskHours | null;
};

/** The conversation, if the visitor has a device there. The query checks ownership. */
export async function findForVisitor(
  db: Database,
  conversationId: string,
  visitor: { visitorId: string; credential: Buffer },
): Promise<(VisitorsRow & ForDevice) | undefined> {
  type Row = VisitorsRow & Pick<ForDevice, 'joinedAt'> & { codeHash: Buffer | null; codeNumber: number };
  const { rows } = await db.pool.query<Row>({
    name: 'conversation-for-visitor',
    text: `select ${COLUMNS}, d.first as "isFirstDevice", b.away_message as "awayMessage",
        case when h.alias is not null then jsonb_build_object('timeZone', h.time_zone, 'week', h.week) end as hours,
        i.code_number as "codeNumber",
        case when i.code_failures_in_life < ${CODE_FAILURES_TO_VOID}
          and coalesce(i.code_locked_until <= now(), true) then i.code_hash end as "codeHash",
        case when d.first then (
          select floor(extract(epoch from max(o.attached_at)) * 1000)::float8 from devices o
          where o.conversation_id = c.id and not o.first and o.revoked_at is null
        ) end as "joinedAt"
      from conversations c
      join devices d on d.conversation_id = c.id and d.visitor_id = $2 and d.credential = $3 and d.revoked_at is null
      join invites i on i.id = c.invite_id
      left join desk_hours h on h.alias = c.handler_alias
      cross join brand b
      where c.id = $1`,
    values: [conversationId, visitor.visitorId, visitor.credential],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const { codeHash, codeNumber, ...rest } = row;
  return { ...rest, code: codeHash && { codeHash, codeNumber } };
}

/** The conversation, if it belongs to this alias; null means every alias. */
export async function findForDesk(
  db: Database,
  conversationId: string,
  alias: string | null,
): Promise<ConversationRow | undefined> {
  const { rows } = await db.pool.query<ConversationRow>({
    name: 'conversation-for-desk',
    text: `select ${COLUMNS} from conversations c cross join brand b
      where c.id = $1 and ($2::text is null or c.handler_alias = $2)`,
    values: [conversationId, alias],
  });
  return rows[0];
}

/** Current heads, which the sweep compares with what was delivered. */
export async function readHeads(
  db: Database,
  ids: string[],
): Promise<{ id: string; head: number; rev: number; handlerAlias: string }[]> {
  const { rows } = await db.pool.query<{ id: string; head: number; rev: number; handlerAlias: string }>({
    name: 'conversation-heads',
    text: `select c.id, c.last_seq as head, c.rev, c.handler_alias as "handlerAlias"
      from conversations c where c.id = any($1)`,
    values: [ids],
  });
  return rows;
}

/** Which of these are closed. */
export async function findClosed(db: Database, ids: string[]): Promise<string[]> {
  const { rows } = await db.pool.query<{ id: string }>(
    `select c.id from conversations c where c.id = any($1) and c.status = 'closed'`,
    [ids],
  );
  return rows.map((row) => row.id);
}

/** Moves the visitor's seen mark forward, at most to the newest message. */
const SEEN_BY_VISITOR = `
  update conversations c set visitor_seen = least($2, c.last_seq), visitor_seen_at = now(), rev = c.rev + 1
  where c.id = $1 and c.visitor_seen < least($2, c.last_seq)
  returning c.handler_alias as "handlerAlias", true as moved`;

/**
 * The same for staff, and removes the unread mark. Removing only the mark keeps `rev`, which visitors see. One step if
 * everything is seen, as almost always; otherwise `handlerAlias` is null and nothing changes: see SEEN_IN_PART.
 */
const SEEN_BY_OWNER = `
  with here as (
    select c.id, c.owner_seen < least($2, c.last_seq) as moves, $2 >= c.last_seq as all_seen from conversations c
    where c.id = $1 and (c.owner_seen < least($2, c.last_seq) or c.marked_unread)
      and ($3::text is null or c.handler_alias = $3)
    for update
  ), marked as (
    update conversations c set marked_unread = false,
      owner_seen = greatest(c.owner_seen, least($2, c.last_seq)),
      owner_seen_at = case when here.moves then now() else c.owner_seen_at end,
      rev = c.rev + here.moves::integer,
      unread = case when here.moves then 0 else c.unread end
    from here where c.id = here.id and (here.all_seen or not here.moves)
    returning c.handler_alias
  )
  select here.moves as moved, marked.handler_alias as "handlerAlias" from here left join marked on true`;

/**
 * Unread counts the visitor's messages above the mark. Only for a locked row: a statement that waited for the lock
 * would miss messages stored meanwhile. Also, PostgreSQL 18.4 crashes when it rechecks a changed row with a
 * partitioned table.
 */
const SEEN_IN_PART = `
  update conversations c set marked_unread = false, owner_seen = $2, owner_seen_at = now(), rev = c.rev + 1,
    unread = (select count(*)::integer from messages m
      where m.conversation_id = c.id and m.seq > $2 and not m.from_owner)
  where c.id = $1`;

/** Undefined if nothing changed; `moved` if the mark did, which the other side sees. */
export async function markSeen(
  db: Database,
  reader: { conversationId: string; side: 'visitor' | 'owner'; alias: string | null },
  seq: number,
): Promise<{ handlerAlias: string; moved: boolean } | undefined> {
  const { conversationId, side, alias } = reader;
  const values = side === 'visitor' ? [conversationId, seq] : [conversationId, seq, alias];
  const text = side === 'visitor' ? SEEN_BY_VISITOR : SEEN_BY_OWNER;
  const { rows } = await db.pool.query<{ handlerAlias: string | null; moved: boolean }>({
    name: `seen-by-${side}`,
    text,
    values,
  });
  const [marked] = rows;
  if (marked === undefined) return undefined;
  const { handlerAlias, moved } = marked;
  return handlerAlias === null ? await markSeenInPart(db, reader, seq) : { handlerAlias, moved };
}

async function markSeenInPart(
  db: Database,
  { conversationId, alias }: { conversationId: string; alias: string | null },
  seq: number,
): Promise<{ handlerAlias: string; moved: boolean } | undefined> {
  return db.sql.transaction().execute(async (transaction) => {
    let query = transaction
      .selectFrom('conversations')
      .select('handler_alias')
      .where('id', '=', conversationId)
      .where('owner_seen', '<', seq);
    if (alias !== null) query = query.where('handler_alias', '=', alias);
    const row = await query.forUpdate().executeTakeFirst();
    if (row === undefined) return undefined;
    await transaction.executeQuery(CompiledQuery.raw(SEEN_IN_PART, [conversationId, seq]));
    return { handlerAlias: row.handler_alias, moved: true };
  });
}

/** Only open conversations are in the queue. Undefined if it is not open or at another desk. */
export async function markUnread(
  db: Database,
  mark: { conversationId: string; alias: string | null; unread: boolean },
): Promise<{ handlerAlias: string } | undefined> {
  const { rows } = await db.pool.query<{ handlerAlias: string }>(
    `update conversations c set marked_unread = $3
     where c.id = $1 and ($2::text is null or c.handler_alias = $2) and c.status = 'open'
     returning c.handler_alias as "handlerAlias"`,
    [mark.conversationId, mark.alias, mark.unread],
  );
  return rows[0];
}

/**
 * Sets the status and returns the previous one; undefined if it is at another desk or its status is not `from`.
 * Without `from` a block is kept.
 */
export async function updateStatus(
  db: Kysely<Tables>,
  change: {
    conversationId: string;
    alias: string | null;
    status: ConversationStatus;
    from?: ConversationStatus | undefined;
  },
): Promise<{ handlerAlias: string; before: ConversationStatus } | undefined> {
  const { conversationId, alias, status, from } = change;
  const { rows } = await sql<{ handlerAlias: string; before: ConversationStatus }>`
    with here as (
      select c.id, c.status from conversations c
      where c.id = ${conversationId} and (${alias}::text is null or c.handler_alias = ${alias})
      for no key update
    )
    update conversations c
    set status = ${status},
      closed_at = case when ${status} = 'open' then null when here.status = ${status} then c.closed_at
        else date_trunc('milliseconds', now()) end,
      marked_unread = c.marked_unread and ${status} = 'open', snoozed_until = null, snoozed_seq = null,
      rev = c.rev + 1
    from here
    where c.id = here.id
      and case when ${from ?? null}::text is null then here.status <> 'blocked' or ${status} = 'blocked'
        else here.status = ${from ?? null} end
    returning c.handler_alias as "handlerAlias", here.status as before`.execute(db);
  return rows[0];
}
