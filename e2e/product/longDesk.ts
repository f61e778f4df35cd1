import { inDatabase } from './database.ts';

/** A conversation that was inserted into the database. Nobody has its invite. */
export type MadeChat = { id: string; name: string };

type Shape = {
  conversations: number;
  /** In each conversation. They are 100 s apart, the last one a minute ago. */
  messages: number;
  /** How many of the last messages staff have not seen. */
  unseen?: number;
};

/**
 * Fills a desk with one statement. The newest conversation comes first, as in the queue. Message n starts with `No.
 * n.`; two of five are from the handler, and lengths vary.
 */
export async function fillDesk(
  alias: string,
  { conversations, messages, unseen = 0 }: Shape,
): Promise<MadeChat[]> {
  const { rows } = await inDatabase<MadeChat>(
    `with chat as (
       select n, gen_random_uuid() as id, gen_random_uuid() as invite_id, gen_random_uuid() as visitor_id,
         'Guest no. ' || n as name, now() - n * interval '1 minute' as last_at
       from generate_series(1, $2::int) as n
     ), invite as (
       insert into invites (id, token_hash, handler_alias, state, expires_at, bound_at)
       select invite_id, sha256(invite_id::text::bytea), $1, 'BOUND', now() + interval '1 day', now() from chat
     ), message as (
       insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
       select id, seq, gen_random_uuid(), seq % 5 < 2 and seq <= $3::int - $4::int, visitor_id,
         last_at - ($3::int - seq) * interval '100 seconds',
         'No. ' || seq || '.' || repeat(' And so the evening went on.', seq % 7)
       from chat cross join generate_series(1, $3::int) as seq
     ), made as (
       insert into conversations (id, invite_id, handler_alias, visitor_id, visitor_name, created_at,
         last_message_at, last_seq, unread, preview, preview_from_owner, owner_seen, visitor_seen)
       select id, invite_id, $1, visitor_id, name, last_at - $3::int * interval '100 seconds',
         last_at, $3::int, $4::int, 'No. ' || $3::int || '.', $3::int % 5 < 2 and $4::int = 0, $3::int - $4::int, $3::int
       from chat
     )
     select id, name from chat order by n`,
    [alias, conversations, messages, unseen],
  );
  // As autovacuum does a minute later. Until then PostgreSQL may choose slow plans.
  await inDatabase('analyze messages, conversations', [], process.env.DATABASE_OWNER_URL);
  return rows;
}

/** Stores one more visitor message, as if by another gateway. An open page finds it with the next sweep. */
export async function visitorWrites(conversationId: string, text: string): Promise<void> {
  await inDatabase(
    `with moved as (
       update conversations set last_seq = last_seq + 1, last_message_at = now(), unread = unread + 1,
         preview = $2, preview_from_owner = false, rev = rev + 1
       where id = $1 returning id, last_seq, visitor_id
     )
     insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
     select id, last_seq, gen_random_uuid(), false, visitor_id, now(), $2 from moved`,
    [conversationId, text],
  );
}

export async function seenByOwner(conversationId: string): Promise<number> {
  const { rows } = await inDatabase<{ owner_seen: number }>(
    'select owner_seen from conversations where id = $1',
    [conversationId],
  );
  return rows[0]?.owner_seen ?? -1;
}
