import { violatedIndex } from '../platform/db/databaseErrors.ts';
import { type Db, exists, first, one, rows, run, type Sql, sql } from '../platform/db/query.ts';

export type SavedReplyRow = {
  id: string;
  staffId: string;
  shortcut: string;
  text: string;
  shared: boolean;
  /** Null: for all. */
  profile: string | null;
};

const COLUMNS = sql`id, staff_id as "staffId", shortcut, text, shared, profile`;
/** Unique shortcuts for each profile and for all: among one's own replies, and among the shared ones. */
const SHORTCUT_INDEXES = ['saved_replies_own_by_profile', 'saved_replies_shared_by_profile'];

/** Own and shared replies of the profiles within reach, by shortcut; the own one first, and that of a profile. */
export function readReplies(db: Db, staffId: string, reach: string[] | null): Promise<SavedReplyRow[]> {
  return rows<SavedReplyRow>(db)`
    select ${COLUMNS} from saved_replies
    where (staff_id = ${staffId} or shared) and (profile is null or profile in (${profilesWithin(reach)}))
    order by shortcut, shared, profile nulls last`;
}

/** Those with a desk within reach; null means every desk. */
function profilesWithin(reach: string[] | null): Sql {
  return sql`select profile from handlers where ${reach}::text[] is null or alias = any (${reach}::text[])`;
}

export function isProfileWithin(db: Db, profile: string, reach: string[] | null): Promise<boolean> {
  return exists(db)`select where ${profile} in (${profilesWithin(reach)})`;
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
  const { id, staffId, shortcut, text, shared, profile } = reply;
  return written(run(db)`
    insert into saved_replies (id, staff_id, shortcut, text, shared, profile)
    values (${id}, ${staffId}, ${shortcut}, ${text}, ${shared}, ${profile})`);
}

export function updateReply(
  db: Db,
  { id, shortcut, text, shared, profile }: SavedReplyRow,
): Promise<WriteResult> {
  return written(run(db)`
    update saved_replies set shortcut = ${shortcut}, text = ${text}, shared = ${shared}, profile = ${profile}, updated_at = now()
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
