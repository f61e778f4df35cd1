import { NOTES_MAX, type Note } from '@settee/protocol/model/note';
import { isWithin, type Reach } from '../access/access.store.ts';
import { type Db, first, millis, rows, sql } from '../platform/db/query.ts';

export type NewNote = {
  id: string;
  conversationId: string;
  authorId: string;
  text: string;
  handover?: { from: string; to: string };
};

/**
 * Adds a note after the newest message, if the conversation's desk is within reach. Returns the desk, or
 * undefined if nothing was added. Locks the conversation, so that no message or hand-over comes in between.
 */
export function insertNote(
  db: Db,
  note: NewNote,
  reach: Reach,
): Promise<{ handlerAlias: string } | undefined> {
  return first<{ handlerAlias: string }>(db)`
    with here as (
      select id, last_seq, handler_alias from conversations
      where id = ${note.conversationId} and ${isWithin(reach, sql`handler_alias`)}
      for no key update
    ), added as (
      insert into notes (id, conversation_id, after_seq, author_id, text, created_at, from_alias, to_alias)
      select ${note.id}, here.id, here.last_seq, ${note.authorId}, ${note.text}, clock_timestamp(),
        ${note.handover?.from ?? null}, ${note.handover?.to ?? null}
      from here
      on conflict (id) do nothing
      returning id
    )
    select here.handler_alias as "handlerAlias" from here, added`;
}

type NoteRow = Omit<Note, 'handover'> & {
  authorId: string;
  fromAlias: string | null;
  toAlias: string | null;
};

const COLUMNS = sql`n.id, n.conversation_id as "conversationId", n.after_seq as "afterSeq",
  n.author_id as "authorId", s.name as author, n.text,
  ${millis('n.created_at')} as "createdAt",
  n.from_alias as "fromAlias", n.to_alias as "toAlias"`;
const NOTES = sql`notes n join staff s on s.id = n.author_id`;
const NEWEST_FIRST = sql`order by n.created_at desc, n.id desc limit ${NOTES_MAX}`;

function noteOf({ authorId: _, fromAlias, toAlias, ...note }: NoteRow): Note {
  if (fromAlias === null || toAlias === null) return note;
  return { ...note, handover: { from: fromAlias, to: toAlias } };
}

export async function findNote(db: Db, id: string): Promise<{ note: Note; authorId: string } | undefined> {
  const row = await first<NoteRow>(db)`select ${COLUMNS} from ${NOTES} where n.id = ${id}`;
  return row && { note: noteOf(row), authorId: row.authorId };
}

export function countNotes(db: Db, conversationIds: string[]): Promise<{ id: string; count: number }[]> {
  return rows<{ id: string; count: number }>(db, 'note-counts')`
    select c.id, (select count(*)::integer from notes where notes.conversation_id = c.id) as count
    from conversations c where c.id = any (${conversationIds})`;
}

/** The newest notes, in order. */
export async function readNotes(db: Db, conversationId: string): Promise<Note[]> {
  const newest = await rows<NoteRow>(db)`
    select ${COLUMNS} from ${NOTES} where n.conversation_id = ${conversationId} ${NEWEST_FIRST}`;
  return newest.reverse().map(noteOf);
}

/** The same with the total and the desk, from one statement. */
export async function readNotesAndDesk(
  db: Db,
  conversationId: string,
): Promise<{ notes: Note[]; count: number; handlerAlias: string }> {
  const newest = await rows<NoteRow & { handlerAlias: string; count: number }>(db)`
    select ${COLUMNS}, c.handler_alias as "handlerAlias", count(*) over ()::integer as count
    from ${NOTES} join conversations c on c.id = n.conversation_id
    where n.conversation_id = ${conversationId} ${NEWEST_FIRST}`;
  const { count = 0, handlerAlias = '' } = newest[0] ?? {};
  const notes = newest.reverse().map(({ count: _, handlerAlias: __, ...row }) => noteOf(row));
  return { notes, count, handlerAlias };
}
