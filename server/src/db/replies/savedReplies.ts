import { type Kysely, sql } from 'kysely';
import { violatedIndex } from '../engine/databaseErrors.ts';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

export type SavedReplyRow = { id: string; staffId: string; shortcut: string; text: string; shared: boolean };

const COLUMNS = ['id', 'staff_id as staffId', 'shortcut', 'text', 'shared'] as const;
/** Unique shortcuts: among one's own replies, and among the shared ones. */
const SHORTCUT_INDEXES = ['saved_replies_own', 'saved_replies_shared'];

/** Own and shared replies by shortcut; the own one first. */
export async function readReplies(db: Queries, staffId: string): Promise<SavedReplyRow[]> {
  return db
    .selectFrom('saved_replies')
    .select(COLUMNS)
    .where((where) => where.or([where('staff_id', '=', staffId), where('shared', '=', true)]))
    .orderBy('shortcut')
    .orderBy('shared')
    .execute();
}

/** Serializes a person's changes: two windows may save at once. */
export async function lockReplies(db: Queries, staffId: string): Promise<void> {
  await db.selectFrom('staff').select('id').where('id', '=', staffId).forNoKeyUpdate().execute();
}

export async function findReply(db: Queries, id: string): Promise<SavedReplyRow | undefined> {
  return db.selectFrom('saved_replies').select(COLUMNS).where('id', '=', id).forUpdate().executeTakeFirst();
}

export async function countReplies(db: Queries, staffId: string): Promise<number> {
  const { count } = await db
    .selectFrom('saved_replies')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('staff_id', '=', staffId)
    .executeTakeFirstOrThrow();
  return count;
}

/** A unique violation ends the transaction. */
export type WriteResult = 'stored' | 'shortcut_taken' | 'id_taken';

export async function insertReply(db: Queries, reply: SavedReplyRow): Promise<WriteResult> {
  const { id, staffId, shortcut, text, shared } = reply;
  return written(
    db.insertInto('saved_replies').values({ id, staff_id: staffId, shortcut, text, shared }).execute(),
  );
}

export async function updateReply(db: Queries, reply: SavedReplyRow): Promise<WriteResult> {
  const { id, shortcut, text, shared } = reply;
  return written(
    db
      .updateTable('saved_replies')
      .set({ shortcut, text, shared, updated_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute(),
  );
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

export async function deleteReply(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('saved_replies').where('id', '=', id).execute();
}
