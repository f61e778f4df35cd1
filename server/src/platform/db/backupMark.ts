import { type Db, exists, run } from './query.ts';

/** An advisory lock that a backup holds as long as its snapshot. */
const BACKUP_LOCK = 7365019;

/** Call it in the transaction of the snapshot. */
export function markBackup(db: Db): Promise<void> {
  return run(db)`select pg_advisory_xact_lock_shared(${BACKUP_LOCK}::bigint)`;
}

export function isBackupRunning(db: Db): Promise<boolean> {
  return exists(db)`
    select from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${BACKUP_LOCK}::bigint
      and objsubid = 1 and database = (select oid from pg_database where datname = current_database())`;
}
