import { changed, type Db, exists, first, one, run, sql, value } from '../platform/db/query.ts';

/** Cleanup comes after image processing. Higher numbers run later. */
const REMOVAL_PRIORITY = sql`10`;

/** The author of an image. Nobody else can continue the upload. */
export type Sender = { conversationId: string; fromOwner: boolean; authorId: string };

export type UploadState = 'uploading' | 'working' | 'ready' | 'refused';

/** An image from the first request until a message carries it. */
export type Upload = { state: UploadState; staged_path: string; staged_type: string; staged_bytes: number };

/** Serializes uploads of a conversation, so that concurrent ones cannot exceed the limit. False if it was erased. */
export function lockConversation(db: Db, conversationId: string): Promise<boolean> {
  return exists(db)`select from conversations where id = ${conversationId} for no key update`;
}

export function findUpload(db: Db, mediaId: string, sender: Sender): Promise<Upload | undefined> {
  return first<Upload>(db)`
    select state, staged_path, staged_type, staged_bytes from media
    where id = ${mediaId} and conversation_id = ${sender.conversationId} and from_owner = ${sender.fromOwner}
      and author_id = ${sender.authorId}`;
}

/** The path of an image, for callers with access to the conversation: sent images, or one's own unsent ones. */
export function findPicturePath(db: Db, mediaId: string, sender: Sender): Promise<string | undefined> {
  return value<string>(db, 'picture-path')`
    select f.path from media f
    where f.id = ${mediaId} and f.conversation_id = ${sender.conversationId} and f.state = 'ready' and (
      f.message_id is not null or (f.from_owner = ${sender.fromOwner} and f.author_id = ${sender.authorId})
    )`;
}

/** What this side began to upload within a day, whatever the result. */
export function countUploads(
  db: Db,
  { conversationId, fromOwner }: Sender,
): Promise<{ images: number; bytes: number }> {
  return one<{ images: number; bytes: number }>(db)`
    select count(*)::integer as images, coalesce(sum(staged_bytes), 0)::float8 as bytes from media
    where conversation_id = ${conversationId} and from_owner = ${fromOwner}
      and created_at > now() - interval '24 hours'`;
}

/** False if the id is taken. */
export function insertUpload(
  db: Db,
  upload: Sender & {
    id: string;
    stagedPath: string;
    type: string;
    bytes: number;
    path: string;
    fileName: string;
  },
): Promise<boolean> {
  const { id, conversationId, fromOwner, authorId, stagedPath, type, bytes, path, fileName } = upload;
  return changed(db)`
    insert into media (id, conversation_id, from_owner, author_id, staged_path, staged_type, staged_bytes, path,
      file_name)
    values (${id}, ${conversationId}, ${fromOwner}, ${authorId}, ${stagedPath}, ${type}, ${bytes}, ${path},
      ${fileName})
    on conflict (id) do nothing`;
}

/** The upload is complete. One statement sets the state and adds the job, so that no job is lost. */
export function startProcessing(db: Db, mediaId: string): Promise<void> {
  return run(db)`
    with started as (
      update media set state = 'working' where id = ${mediaId} and state = 'uploading' returning id
    )
    select ${addWork} from started`;
}

const addWork = sql`graphile_worker.add_job(
  'processMedia', json_build_object('mediaId', id), job_key := 'processMedia ' || id
)`;

/**
 * Cancels an upload; false if a message carries it. The row stays until the sweep, because it counts for the daily
 * limit.
 */
export function dropUpload(db: Db, mediaId: string): Promise<boolean> {
  return exists(db)`
    with dropped as (
      update media set state = 'refused' where id = ${mediaId} and message_id is null
      returning id, staged_path, path
    )
    select graphile_worker.add_job(
        'removeMedia', json_build_object('paths', json_build_array(staged_path, path)),
        job_key := 'removeMedia ' || id, priority := ${REMOVAL_PRIORITY}
      ),
      ${removeStagedLater}
    from dropped`;
}

/**
 * Removes a staged object later, because its signed URL still works for minutes and a slow upload may end even later.
 * Part of the statement that ends the upload. The job key avoids duplicates while the store is unavailable.
 */
export const removeStagedLater = sql`graphile_worker.add_job(
  'removeMedia', json_build_object('paths', json_build_array(staged_path)), run_at := now() + interval '1 hour',
  job_key := 'removeStaged ' || id, job_key_mode := 'preserve_run_at', priority := ${REMOVAL_PRIORITY}
)`;
