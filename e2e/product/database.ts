import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { createHandler, type Handler } from './accounts.ts';

export function expireInvite(invite: string): Promise<string> {
  return changeInvite(invite, "expires_at = now() - interval '1 minute'");
}

/** Revokes the invite of a conversation without devices. */
export async function revokeConversation(id: string): Promise<void> {
  await inDatabase(
    `with revoked as (
       update conversations set rev = rev + 1, waiting_since = null where id = $1 returning invite_id
     )
     update invites set state = 'REVOKED', revoked_at = now() where id in (select invite_id from revoked)`,
    [id],
  );
}

export function revokeInvite(invite: string): Promise<string> {
  return changeInvite(invite, "state = 'REVOKED', revoked_at = now()");
}

/** The state in the database: NEW, SEEN, BOUND or REVOKED. */
export async function inviteState(invite: string): Promise<unknown> {
  const { rows } = await inDatabase('select state from invites where token_hash = $1', [hashOf(invite)]);
  return rows[0]?.state;
}

async function changeInvite(invite: string, change: string): Promise<string> {
  await inDatabase(`update invites set ${change} where token_hash = $1`, [hashOf(invite)]);
  return invite;
}

/** Revokes all devices of a conversation. */
export async function revokeDevices(invite: string): Promise<void> {
  await inDatabase(
    `update devices d set revoked_at = now() from conversations c join invites i on i.id = c.invite_id
     where d.conversation_id = c.id and i.token_hash = $1`,
    [hashOf(invite)],
  );
}

/** The stored messages of the conversation, in order of their number. */
export async function storedTexts(invite: string): Promise<string[]> {
  const { rows } = await inDatabase<{ text: string }>(
    `select messages.text from messages
     join conversations on conversations.id = messages.conversation_id
     join invites on invites.id = conversations.invite_id
     where token_hash = $1 order by messages.seq`,
    [hashOf(invite)],
  );
  return rows.map(({ text }) => text);
}

export async function conversationOf(invite: string): Promise<string> {
  const { rows } = await inDatabase<{ id: string }>(
    'select c.id from conversations c join invites i on i.id = c.invite_id where i.token_hash = $1',
    [hashOf(invite)],
  );
  if (!rows[0]) throw new Error('nobody has claimed this invite');
  return rows[0].id;
}

/** Closes or blocks a conversation, `daysAgo` days ago. */
export async function endConversation(
  invite: string,
  status: 'closed' | 'blocked',
  daysAgo: number,
): Promise<void> {
  await inDatabase(
    `update conversations c set status = $2, closed_at = now() - make_interval(days => $3), rev = c.rev + 1
     from invites i where i.id = c.invite_id and i.token_hash = $1`,
    [hashOf(invite), status, daysAgo],
  );
}

export type Written = { from: 'visitor' | 'owner'; text: string; at: Date };

/** Whether a side has not seen the last so many messages. */
type Unseen = { visitor?: number; owner?: number };

/** Appends messages to the conversation of a claimed invite. An open page finds them with the next sweep. */
export async function writeHistory(invite: string, messages: Written[], unseenBy?: Unseen): Promise<void> {
  await append(await conversationOf(invite), messages, unseenBy);
}

/** Appends messages with given times. Both sides have seen them, except the last `unseenBy` ones. */
async function append(id: string, messages: Written[], unseenBy: Unseen = {}): Promise<void> {
  await inDatabase(
    `with chat as (
       select c.id, c.last_seq, c.visitor_id,
         coalesce((select s.id from staff s where s.alias = c.handler_alias limit 1), c.visitor_id) as staff_id
       from conversations c where c.id = $1
     ), given as (
       select * from unnest($2::boolean[], $3::text[], $4::timestamptz[]) with ordinality
         as given (from_owner, text, at, place)
     ), stored as (
       insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
       select chat.id, chat.last_seq + place, gen_random_uuid(), from_owner,
         case when from_owner then staff_id else visitor_id end, at, text
       from given cross join chat
     )
     update conversations c
     set last_seq = chat.last_seq + last.place, last_message_at = last.at,
       preview = left(last.text, 140), preview_from_owner = last.from_owner,
       unread = $6::int, rev = c.rev + 1,
       visitor_seen = chat.last_seq + last.place - $5::int, visitor_seen_at = last.at,
       owner_seen = chat.last_seq + last.place - $6::int, owner_seen_at = last.at
     from chat, (select * from given order by place desc limit 1) as last
     where c.id = chat.id`,
    [
      id,
      messages.map(({ from }) => from === 'owner'),
      messages.map(({ text }) => text),
      messages.map(({ at }) => at),
      unseenBy.visitor ?? 0,
      unseenBy.owner ?? 0,
    ],
  );
}

/** A conversation with one message. */
export type Left = {
  name: string;
  text: string;
  minutesAgo: number;
  from?: 'visitor' | 'owner';
  unread?: number;
  /** How long the visitor has been waiting; absent if the visitor is not waiting. */
  waitingMinutes?: number;
  markedUnread?: boolean;
  status?: 'open' | 'closed' | 'blocked';
};

/** Creates conversations at a desk with one statement. They have no real visitor. Returns their ids. */
export async function makeConversations(alias: string, left: Left[]): Promise<string[]> {
  const ids = left.map(() => randomUUID());
  await inDatabase(
    `with given as (
       select id, name, text, now() - make_interval(secs => minutes_ago * 60) as at, from_owner, unread,
         now() - make_interval(secs => waiting_minutes * 60) as waiting_since, marked, status,
         gen_random_uuid() as invite_id, gen_random_uuid() as visitor_id
       from unnest($2::uuid[], $3::text[], $4::text[], $5::float8[], $6::boolean[], $7::int[], $8::float8[],
         $9::boolean[], $10::text[])
         as given (id, name, text, minutes_ago, from_owner, unread, waiting_minutes, marked, status)
     ), bound as (
       insert into invites (id, token_hash, label, handler_alias, state, expires_at, bound_at)
       select invite_id, sha256(invite_id::text::bytea), 'Lyon reading', $1, 'BOUND', now() + interval '1 day', at from given
     ), written as (
       insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
       select id, 1, gen_random_uuid(), from_owner,
         case when from_owner then (select s.id from staff s where s.alias = $1 limit 1) else visitor_id end, at, text
       from given
     )
     insert into conversations (id, invite_id, handler_alias, visitor_id, visitor_name, status, closed_at, created_at,
       last_message_at, last_seq, unread, preview, preview_from_owner, rev, owner_seen, waiting_since, marked_unread)
     select id, invite_id, $1, visitor_id, name, status, case when status <> 'open' then at end, at,
       at, 1, unread, left(text, 140), from_owner, 1, 1 - least(unread, 1), waiting_since, marked
     from given`,
    [
      alias,
      ids,
      left.map(({ name }) => name),
      left.map(({ text }) => text),
      left.map(({ minutesAgo }) => minutesAgo),
      left.map(({ from }) => from === 'owner'),
      left.map(({ unread = 0 }) => unread),
      left.map(({ waitingMinutes = null }) => waitingMinutes),
      left.map(({ markedUnread = false }) => markedUnread),
      left.map(({ status = 'open' }) => status),
    ],
  );
  return ids;
}

function hashOf(invite: string): Buffer {
  return createHash('sha256').update(invite.slice('/i/'.length)).digest();
}

/** Runs a statement in the database of the shared installation or of the given one. */
export async function inDatabase<Row extends pg.QueryResultRow>(
  statement: string,
  values: unknown[],
  databaseUrl = process.env.DATABASE_URL ?? '',
): Promise<pg.QueryResult<Row>> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    return await client.query<Row>(statement, values);
  } finally {
    await client.end();
  }
}

/** An account with another role, and no desk. */
export async function createWithRole(role: string, account = createHandler()): Promise<Handler> {
  await inDatabase('update staff set role = $2, alias = null where email = $1', [account.email, role]);
  return account;
}

/** Moves the conversation to another desk, as a transfer does. */
export async function moveToDesk(conversationId: string, alias: string): Promise<void> {
  await inDatabase('update conversations set handler_alias = $2, rev = rev + 1 where id = $1', [
    conversationId,
    alias,
  ]);
}

/** Ends all sessions of this person, as an administrator can. */
export async function endSessions({ email }: Handler): Promise<void> {
  await inDatabase(
    `update staff_sessions s set revoked_at = now() from staff where staff.id = s.staff_id and email = $1`,
    [email],
  );
}

type WrittenNote = { afterSeq: number; text: string; at: Date; handover?: { from: string; to: string } };

/** Adds notes to a conversation, by a staff member of its desk. */
export async function writeNotes(conversationId: string, notes: WrittenNote[]): Promise<void> {
  for (const { afterSeq, text, at, handover } of notes) {
    await inDatabase(
      `insert into notes (id, conversation_id, after_seq, author_id, text, created_at, from_alias, to_alias)
       select gen_random_uuid(), c.id, $2, (select s.id from staff s where s.alias = c.handler_alias limit 1),
         $3, $4, $5, $6
       from conversations c where c.id = $1`,
      [conversationId, afterSeq, text, at, handover?.from ?? null, handover?.to ?? null],
    );
  }
}

/** Adds saved replies for a staff member of the conversation's desk. */
export async function writeReplies(conversationId: string, replies: Record<string, string>): Promise<void> {
  for (const [shortcut, text] of Object.entries(replies)) {
    await inDatabase(
      `insert into saved_replies (id, staff_id, shortcut, text)
       select gen_random_uuid(), (select s.id from staff s where s.alias = c.handler_alias limit 1), $2, $3
       from conversations c where c.id = $1`,
      [conversationId, shortcut, text],
    );
  }
}

/**
 * Creates a conversation with these messages. Both sides have seen them, except that staff have not seen the last few.
 * Returns its id.
 */
export async function makeThread(
  alias: string,
  name: string,
  messages: Written[],
  unseen = 0,
): Promise<string> {
  const [id = ''] = await makeConversations(alias, [{ name, text: '', minutesAgo: 0 }]);
  await inDatabase('delete from messages where conversation_id = $1', [id]);
  await inDatabase('update conversations set last_seq = 0 where id = $1', [id]);
  await append(id, messages, { owner: unseen });
  return id;
}
