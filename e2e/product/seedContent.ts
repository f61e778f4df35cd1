import { inDatabase, makeConversations, type Written } from './database.ts';

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
  const [id = ''] = await makeConversations(alias, [{ name, text: messages[0]?.text ?? '', minutesAgo: 0 }]);
  await inDatabase('delete from messages where conversation_id = $1', [id]);
  await inDatabase(
    `with given as (
       select * from unnest($2::boolean[], $3::text[], $4::timestamptz[]) with ordinality
         as given (from_owner, text, at, place)
     ), stored as (
       insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
       select c.id, place, gen_random_uuid(), from_owner,
         case when from_owner then (select s.id from staff s where s.alias = c.handler_alias limit 1)
           else c.visitor_id end, at, text
       from given, conversations c where c.id = $1
     )
     update conversations c
     set last_seq = last.place, last_message_at = last.at, preview = left(last.text, 140),
       preview_from_owner = last.from_owner, visitor_seen = last.place, visitor_seen_at = last.at,
       owner_seen = last.place - $5::int, owner_seen_at = last.at, unread = $5::int
     from (select * from given order by place desc limit 1) as last where c.id = $1`,
    [
      id,
      messages.map(({ from }) => from === 'owner'),
      messages.map(({ text }) => text),
      messages.map(({ at }) => at),
      unseen,
    ],
  );
  return id;
}
