import { violatedIndex } from '../platform/db/databaseErrors.ts';
import { type Db, first, one, rows, run, sql } from '../platform/db/query.ts';

export type SavedReplyRow = { id: string; staffId: string; shortcut: string; text: string; shared: boolean };

const COLUMNS = sql`id, staff_id as "staffId", shortcut, text, shared`;
/** Unique shortcuts: among one's own replies, and among the shared ones. */
const SHORTCUT_INDEXES = ['saved_replies_own', 'saved_replies_shared'];

/** Own and shared replies by shortcut; the own one first. */
export function readReplies(db: Db, staffId: string): Promise<SavedReplyRow[]> {
  return rows<SavedReplyRow>(db)`
    select ${COLUMNS} from saved_replies where staff_id = ${staffId} or shared order by shortcut, shared`;
}

/** Serializes a person's changes: two windows may save at once. */
export function lockReplies(db: Db, staffId: string): Promise<void> {
  return run(db)`select from staff where id = ${staffId} for no key update`;
}

export function findReply(db: Db, id: string): Promise<SavedReplyRow | undefined> {
  return first<SavedReplyRow>(db)`select ${COLUMNS} from saved_replies where id = ${id} for update`;
}

export async function countReplies(db: Db, staffId: string): Promise<number> {
  const { count } = await one<{ count: number }>(db)`
    select count(*)::integer as count from saved_replies where staff_id = ${staffId}`;
  return count;
}

/** A unique violation ends the transaction. */
export type WriteResult = 'stored' | 'shortcut_taken' | 'id_taken';

export function insertReply(db: Db, reply: SavedReplyRow): Promise<WriteResult> {
  const { id, staffId, shortcut, text, shared } = reply;
  return written(run(db)`
    insert into saved_replies (id, staff_id, shortcut, text, shared)
    values (${id}, ${staffId}, ${shortcut}, ${text}, ${shared})`);
}

export function updateReply(db: Db, { id, shortcut, text, shared }: SavedReplyRow): Promise<WriteResult> {
  return written(run(db)`
    update saved_replies set shortcut = ${shortcut}, text = ${text}, shared = ${shared}, updated_at = now()
    where id = ${id}`);
}

async function written(write: Promise<unknown>): Promise<WriteResult> {
  try {
    await write;
    return 'stored';
  } catch (error) {
    const index = violatedIndex(error);
    if (index === undefined) throw error;
    return SHORTCUT_INDEXES.includes(index) ? 'shortcut_taken' : 'id_taken';
  }
}

export function deleteReply(db: Db, id: string): Promise<void> {
  return run(db)`delete from saved_replies where id = ${id}`;
}
