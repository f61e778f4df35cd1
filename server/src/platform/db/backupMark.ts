import type pg from 'pg';

/** An advisory lock that a backup holds as long as its snapshot. */
const BACKUP_LOCK = 7365019;

/** Call it in the transaction of the snapshot. */
export async function markBackup(client: pg.Client): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [BACKUP_LOCK]);
}

export async function isBackupRunning(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and objsubid = 1
     and database = (select oid from pg_database where datname = current_database())`,
    [BACKUP_LOCK],
  );
  return rowCount !== 0;
}
