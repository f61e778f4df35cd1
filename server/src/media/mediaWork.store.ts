import { FENCED_DESK } from '../platform/db/fence.ts';
import { type Db, exists, first, one, rows, run, value } from '../platform/db/query.ts';
import { removeStagedLater, type UploadState } from './uploads.store.ts';

export type Work = {
  id: string;
  conversationId: string;
  state: UploadState;
  stagedPath: string;
  stagedType: string;
  path: string;
  fileName: string;
};

export function findWork(db: Db, mediaId: string): Promise<Work | undefined> {
  return first<Work>(db)`
    select id, conversation_id as "conversationId", state, staged_path as "stagedPath",
      staged_type as "stagedType", path, file_name as "fileName"
    from media where id = ${mediaId}`;
}

/**
 * Stores the path before the object is written, so that a run that dies leaves no unknown object. Returns the previous
 * run's path; undefined if there is nothing to do.
 */
export function takePath(db: Db, mediaId: string, path: string): Promise<string | undefined> {
  return value<string>(db)`
    with former as (select id, path from media where id = ${mediaId} and state = 'working' for update)
    update media set path = ${path} from former where media.id = former.id
    returning former.path`;
}

export type Picture = {
  path: string;
  type: string;
  bytes: number;
  width: number;
  height: number;
  thumbhash: string;
  fileName: string;
};

/** Returns false if the image was cancelled or another run was faster: then this run's object is not needed. */
export function markReady(db: Db, mediaId: string, picture: Picture): Promise<boolean> {
  return exists(db)`
    with done as (
      update media set state = 'ready', media_type = ${picture.type}, bytes = ${picture.bytes},
        width = ${picture.width}, height = ${picture.height}, thumbhash = ${picture.thumbhash},
        file_name = ${picture.fileName}
      where id = ${mediaId} and state = 'working' and path = ${picture.path}
      returning id, staged_path
    )
    select ${removeStagedLater} from done`;
}

export async function countFailedAttempt(db: Db, mediaId: string): Promise<number> {
  const { mishaps } = await one<{ mishaps: number }>(db)`
    update media set mishaps = mishaps + 1 where id = ${mediaId} returning mishaps`;
  return mishaps;
}

export function markRefused(db: Db, mediaId: string): Promise<void> {
  return run(db)`
    with done as (
      update media set state = 'refused' where id = ${mediaId} and state = 'working' returning id, staged_path
    )
    select ${removeStagedLater} from done`;
}

export type Orphan = { id: string; stagedPath: string; path: string };

/**
 * Marks images without a message after a day as refused, so that no message can carry them. Their rows are deleted
 * last, so that failures are retried.
 */
export function takeOrphans(db: Db, limit: number): Promise<Orphan[]> {
  return rows<Orphan>(db)`
    with taken as (
      update media set state = 'refused'
      where id = any (array(
        select m.id from media m where m.message_id is null and m.created_at < now() - interval '24 hours'
          and not exists (select from conversations c where c.id = m.conversation_id and c.handler_alias = ${FENCED_DESK})
        order by m.created_at limit ${limit} for update skip locked
      ))
      returning id, staged_path, path
    )
    select id, staged_path as "stagedPath", path, ${removeStagedLater} from taken`;
}

export function deleteOrphan(db: Db, mediaId: string): Promise<void> {
  return run(db)`delete from media where id = ${mediaId} and state = 'refused' and message_id is null`;
}
