import type { Readable, Writable } from 'node:stream';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { dropAllVisitorMails } from '../mail/visitorMails.store.ts';
import { readAppliedMigrations } from '../platform/db/migrations.ts';
import { type Db, exists, run } from '../platform/db/query.ts';
import { inTransaction } from '../platform/db/withClient.ts';
import { copyOutSql, quoteIdentifier, readTables, setTextFormat, type Table } from './catalogue.store.ts';
import { markRestoreUnfinished } from './restoreMarker.store.ts';

/** Whether the database contains no objects at all. */
export async function isEmpty(db: Db): Promise<boolean> {
  return !(await exists(db)`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
      and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    limit 1`);
}

export type Load = {
  fill(table: Table): Writable;
  read(table: Table): Readable;
};

/**
 * Fills newly created tables in one transaction, as their owner. Our triggers (figures, audit chain) are disabled,
 * because they ran when the rows were first written. Foreign keys are checked, so the order of tables matters.
 * Sequences continue where they were.
 */
export async function load(
  client: pg.Client,
  what: { tables: Table[]; level: string[]; sequences: { name: string; value: string }[] },
  work: (load: Load) => Promise<void>,
): Promise<void> {
  await inTransaction(client, async () => {
    await setTextFormat(client);
    const level = await readAppliedMigrations(client);
    if (level?.toSorted().join() !== what.level.toSorted().join())
      throw new Error('the backup has other migrations than this release');
    const there = await readTables(client);
    const known = new Map(what.tables.map((table) => [table.name, table]));
    const missing = what.tables.filter(({ name }) => !there.some((table) => table.name === name));
    const unfilled = there.filter(({ name }) => !known.has(name));
    if (missing.length + unfilled.length > 0)
      throw new Error(`the tables differ: ${[...missing, ...unfilled].map(({ name }) => name).join(', ')}`);
    const names = there.map(({ name }) => quoteIdentifier(name));
    for (const name of names) await client.query(`alter table ${name} disable trigger user`);
    // Rows that the migrations inserted.
    for (const name of names.toReversed()) await client.query(`delete from ${name}`);
    await work({
      fill: (table) =>
        client.query(
          copyFrom(
            `copy ${quoteIdentifier(table.name)} (${table.columns.map(quoteIdentifier).join(', ')}) from stdin`,
          ),
        ),
      read: (table) => client.query(copyTo(copyOutSql(table))),
    });
    for (const { name, value } of what.sequences) {
      await run(client)`select setval(${quoteIdentifier(name)}::regclass, ${value}::bigint)`;
    }
    for (const name of names) await client.query(`alter table ${name} enable trigger user`);
    await endCredentials(client);
    await markRestoreUnfinished(client);
  });
  // The planner would otherwise treat the tables as empty.
  await client.query('analyze');
}

/**
 * A session, link or recovery code may have been used or revoked after the backup, so all of them end. A visitor's
 * e-mail address may have been removed, an API key revoked and a webhook deleted. Passwords, factors, accounts, invites and devices are restored; the restore warns
 * about that.
 */
export async function endCredentials(db: Db): Promise<void> {
  await run(db)`delete from staff_recovery_codes`;
  await run(db)`update staff_sessions set revoked_at = now() where revoked_at is null`;
  await run(db)`delete from password_links`;
  // A backup of 0.2.0 has none of these tables.
  if (!(await exists(db)`select where to_regclass('visitor_mails') is not null`)) return;
  await dropAllVisitorMails(db);
  await run(db)`update api_keys set revoked_at = now() where revoked_at is null`;
  await run(db)`update webhook_endpoints set state = 'paused' where state = 'active'`;
}

/** Jobs are not backed up. Only image processing must be queued again. */
export function addMissingJobs(db: Db): Promise<void> {
  return run(db)`
    select graphile_worker.add_job('processMedia', json_build_object('mediaId', id), job_key := 'processMedia ' || id)
    from media where state = 'working'`;
}
