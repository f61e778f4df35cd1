import { NOTES_MAX, type Note } from '@settee/protocol/model/note';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

export type NewNote = {
  id: string;
  conversationId: string;
  authorId: string;
  text: string;
  handover?: { from: string; to: string };
};

/**
 * Adds a note after the newest message, if the conversation is at this desk; null means any desk. Returns the desk, or
 * undefined if nothing was added. Locks the conversation, so that no message or hand-over comes in between.
 */
export async function insertNote(
  db: Queries,
  note: NewNote,
  alias: string | null,
): Promise<{ handlerAlias: string } | undefined> {
  const { rows } = await sql<{ handlerAlias: string }>`
    with here as (
      select id, last_seq, handler_alias from conversations
      where id = ${note.conversationId} and (${alias}::text is null or handler_alias = ${alias})
      for no key update
    ), added as (
      insert into notes (id, conversation_id, after_seq, author_id, text, created_at, from_alias, to_alias)
      select ${note.id}, here.id, here.last_seq, ${note.authorId}, ${note.text}, clock_timestamp(),
        ${note.handover?.from ?? null}, ${note.handover?.to ?? null}
      from here
      on conflict (id) do nothing
      returning id
    )
    select here.handler_alias as "handlerAlias" from here, added`.execute(db);
  return rows[0];
}

type NoteRow = Omit<Note, 'handover'> & {
  authorId: string;
  fromAlias: string | null;
  toAlias: string | null;
};

function select(db: Queries) {
  return db
    .selectFrom('notes')
    .innerJoin('staff', 'staff.id', 'notes.author_id')
    .select([
      'notes.id',
      'notes.conversation_id as conversationId',
      'notes.after_seq as afterSeq',
      'notes.author_id as authorId',
      'staff.name as author',
      'notes.text',
      sql<number>`floor(extract(epoch from notes.created_at) * 1000)::float8`.as('createdAt'),
      'notes.from_alias as fromAlias',
      'notes.to_alias as toAlias',
    ]);
}

function noteOf({ authorId: _, fromAlias, toAlias, ...note }: NoteRow): Note {
  if (fromAlias === null || toAlias === null) return note;
  return { ...note, handover: { from: fromAlias, to: toAlias } };
}

export async function findNote(
  db: Queries,
  id: string,
): Promise<{ note: Note; authorId: string } | undefined> {
  const row = await select(db).where('notes.id', '=', id).executeTakeFirst();
  return row && { note: noteOf(row), authorId: row.authorId };
}

/** Number of notes per conversation. */
export async function countNotes(
  db: Database,
  conversationIds: string[],
): Promise<{ id: string; count: number }[]> {
  const { rows } = await db.pool.query<{ id: string; count: number }>({
    name: 'note-counts',
    text: `select c.id, (select count(*)::integer from notes where notes.conversation_id = c.id) as count
      from conversations c where c.id = any($1)`,
    values: [conversationIds],
  });
  return rows;
}

function selectNewest(db: Queries, conversationId: string) {
  return select(db)
    .where('notes.conversation_id', '=', conversationId)
    .orderBy('notes.created_at', 'desc')
    .orderBy('notes.id', 'desc')
    .limit(NOTES_MAX);
}

/** The newest notes, in order. */
export async function readNotes(db: Queries, conversationId: string): Promise<Note[]> {
  const rows = await selectNewest(db, conversationId).execute();
  return rows.reverse().map(noteOf);
}

/** The same with the total and the desk, from one statement. */
export async function readNotesAndDesk(
  db: Queries,
  conversationId: string,
): Promise<{ notes: Note[]; count: number; handlerAlias: string }> {
  const rows = await selectNewest(db, conversationId)
    .innerJoin('conversations', 'conversations.id', 'notes.conversation_id')
    .select([
      'conversations.handler_alias as handlerAlias',
      sql<number>`count(*) over ()::integer`.as('count'),
    ])
    .execute();
  const { count = 0, handlerAlias = '' } = rows[0] ?? {};
  const notes = rows.reverse().map(({ count: _, handlerAlias: __, ...row }) => noteOf(row));
  return { notes, count, handlerAlias };
}
