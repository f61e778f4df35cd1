import { type Kysely, sql } from 'kysely';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

/** Cleanup comes after image processing. Higher numbers run later. */
const REMOVAL_PRIORITY = sql.raw('10');

/** The author of an image. Nobody else can continue the upload. */
export type Sender = { conversationId: string; fromOwner: boolean; authorId: string };

/** An image from the first request until a message carries it. */
export type Upload = Pick<Tables['media'], 'staged_path' | 'staged_type' | 'staged_bytes'> & {
  state: 'uploading' | 'working' | 'ready' | 'refused';
};

/** Serializes uploads of a conversation, so that concurrent ones cannot exceed the limit. False if it was erased. */
export async function lockConversation(db: Queries, conversationId: string): Promise<boolean> {
  const query = db.selectFrom('conversations').select('id').where('id', '=', conversationId);
  return (await query.forNoKeyUpdate().execute()).length > 0;
}

export async function findUpload(db: Queries, mediaId: string, sender: Sender): Promise<Upload | undefined> {
  return db
    .selectFrom('media')
    .select(['state', 'staged_path', 'staged_type', 'staged_bytes'])
    .where('id', '=', mediaId)
    .where('conversation_id', '=', sender.conversationId)
    .where('from_owner', '=', sender.fromOwner)
    .where('author_id', '=', sender.authorId)
    .executeTakeFirst();
}

/** What this side began to upload within a day, whatever the result. */
export async function countUploads(
  db: Queries,
  { conversationId, fromOwner }: Sender,
): Promise<{ images: number; bytes: number }> {
  return db
    .selectFrom('media')
    .select([
      sql<number>`count(*)::integer`.as('images'),
      sql<number>`coalesce(sum(staged_bytes), 0)::float8`.as('bytes'),
    ])
    .where('conversation_id', '=', conversationId)
    .where('from_owner', '=', fromOwner)
    .where('created_at', '>', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirstOrThrow();
}

/** False if the id is taken. */
export async function insertUpload(
  db: Queries,
  upload: Sender & {
    id: string;
    stagedPath: string;
    type: string;
    bytes: number;
    path: string;
    fileName: string;
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('media')
    .values({
      id: upload.id,
      conversation_id: upload.conversationId,
      from_owner: upload.fromOwner,
      author_id: upload.authorId,
      staged_path: upload.stagedPath,
      staged_type: upload.type,
      staged_bytes: upload.bytes,
      path: upload.path,
      file_name: upload.fileName,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** The upload is complete. One statement sets the state and adds the job, so that no job is lost. */
export async function startProcessing(db: Queries, mediaId: string): Promise<void> {
  await sql`
    with started as (
      update media set state = 'working' where id = ${mediaId} and state = 'uploading' returning id
    )
    select ${addWork} from started`.execute(db);
}

/**
 * A killed worker leaves its job locked for four hours. A waiting sender gets a new job as soon as the old one must be
 * dead.
 */
export async function restartLostProcessing(db: Queries, mediaId: string): Promise<void> {
  await sql`
    select ${addWork} from media
    where id = ${mediaId} and state = 'working' and not exists (
      select from graphile_worker.jobs j
      where j.key = 'processMedia ' || media.id and (
        (j.locked_at is null and j.attempts < j.max_attempts) or j.locked_at > now() - interval '2 minutes'
      )
    )`.execute(db);
}

const addWork = sql`graphile_worker.add_job(
  'processMedia', json_build_object('mediaId', id), job_key := 'processMedia ' || id
)`;

/**
 * Cancels an upload; false if a message carries it. The row stays until the sweep, because it counts for the daily
 * limit.
 */
export async function dropUpload(db: Queries, mediaId: string): Promise<boolean> {
  const { rows } = await sql`
    with dropped as (
      update media set state = 'refused' where id = ${mediaId} and message_id is null
      returning id, staged_path, path
    )
    select graphile_worker.add_job(
        'removeMedia', json_build_object('paths', json_build_array(staged_path, path)),
        job_key := 'removeMedia ' || id, priority := ${REMOVAL_PRIORITY}
      ),
      ${removeStagedLater}
    from dropped`.execute(db);
  return rows.length > 0;
}

/**
 * Removes a staged object later, because its signed URL still works for minutes and a slow upload may end even later.
 * Part of the statement that ends the upload. The job key avoids duplicates while the store is unavailable.
 */
export const removeStagedLater = sql`graphile_worker.add_job(
  'removeMedia', json_build_object('paths', json_build_array(staged_path)), run_at := now() + interval '1 hour',
  job_key := 'removeStaged ' || id, job_key_mode := 'preserve_run_at', priority := ${REMOVAL_PRIORITY}
)`;
