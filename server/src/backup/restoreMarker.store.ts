import type pg from 'pg';
import { type Db, run } from '../platform/db/query.ts';

/**
 * An unfinished restore looks complete but still contains conversations erased after the backup. A comment on a table
 * marks it, because a comment is part of the transaction that loads the rows.
 */
const MARK = 'settee: its restore was not finished';

export const RESTORE_UNFINISHED = `coalesce(obj_description(to_regclass('conversations'), 'pg_class') = '${MARK}', false)`;

export async function markRestoreUnfinished(client: pg.Client): Promise<void> {
  await client.query(`comment on table conversations is '${MARK}'`);
}

export function markRestoreFinished(db: Db): Promise<void> {
  return run(db)`comment on table conversations is null`;
}
