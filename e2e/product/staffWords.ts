import { inDatabase } from './settee.ts';

type WrittenNote = { afterSeq: number; text: string; at: Date; handover?: { from: string; to: string } };

/** Puts notes into a conversation, by whoever works at its desk. */
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

/** Gives whoever works at a conversation's desk saved replies of their own. */
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
