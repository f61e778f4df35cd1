import { type Kysely, sql } from 'kysely';
import type { Tables } from '../engine/tables.ts';
import { removeStagedLater } from './uploads.ts';

type Queries = Kysely<Tables>;

export type Work = {
  id: string;
  conversationId: string;
  state: 'uploading' | 'working' | 'ready' | 'refused';
  stagedPath: string;
  stagedType: string;
  path: string;
  fileName: string;
};

export async function findWork(db: Queries, mediaId: string): Promise<Work | undefined> {
  return db
    .selectFrom('media')
    .select([
      'id',
      'conversation_id as conversationId',
      'state',
      'staged_path as stagedPath',
      'staged_type as stagedType',
      'path',
      'file_name as fileName',
    ])
    .where('id', '=', mediaId)
    .executeTakeFirst();
}

/**
 * Stores the path before the object is written, so that a run that dies leaves no unknown object. Returns the previous
 * run's path; undefined if there is nothing to do.
 */
export async function takePath(db: Queries, mediaId: string, path: string): Promise<string | undefined> {
  const { rows } = await sql<{ former: string }>`
    with former as (select id, path from media where id = ${mediaId} and state = 'working' for update)
    update media set path = ${path} from former where media.id = former.id
    returning former.path as former`.execute(db);
  return rows[0]?.former;
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
export async function markReady(db: Queries, mediaId: string, picture: Picture): Promise<boolean> {
  const { rows } = await sql`
    with done as (
      update media set state = 'ready', media_type = ${picture.type}, bytes = ${picture.bytes},
        width = ${picture.width}, height = ${picture.height}, thumbhash = ${picture.thumbhash},
        file_name = ${picture.fileName}
      where id = ${mediaId} and state = 'working' and path = ${picture.path}
      returning id, staged_path
    )
    select ${removeStagedLater} from done`.execute(db);
  return rows.length > 0;
}

/** Increments and returns the number of failed attempts. */
export async function countFailedAttempt(db: Queries, mediaId: string): Promise<number> {
  const { mishaps } = await db
    .updateTable('media')
    .set({ mishaps: sql<number>`mishaps + 1` })
    .where('id', '=', mediaId)
    .returning('mishaps')
    .executeTakeFirstOrThrow();
  return mishaps;
}

export async function markRefused(db: Queries, mediaId: string): Promise<void> {
  await sql`
    with done as (
      update media set state = 'refused' where id = ${mediaId} and state = 'working' returning id, staged_path
    )
    select ${removeStagedLater} from done`.execute(db);
}

export type Orphan = { id: string; stagedPath: string; path: string };

/**
 * Marks images without a message after a day as refused, so that no message can carry them. Their rows are deleted
 * last, so that failures are retried.
 */
export async function takeOrphans(db: Queries, limit: number): Promise<Orphan[]> {
  const { rows } = await sql<Orphan>`
    with taken as (
      update media set state = 'refused'
      where id = any (array(
        select id from media where message_id is null and created_at < now() - interval '24 hours'
        order by created_at limit ${limit} for update skip locked
      ))
      returning id, staged_path, path
    )
    select id, staged_path as "stagedPath", path, ${removeStagedLater} from taken`.execute(db);
  return rows;
}

export async function deleteOrphan(db: Queries, mediaId: string): Promise<void> {
  await db
    .deleteFrom('media')
    .where('id', '=', mediaId)
    .where('state', '=', 'refused')
    .where('message_id', 'is', null)
    .execute();
}
