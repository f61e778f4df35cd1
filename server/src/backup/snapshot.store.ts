import type { Readable } from 'node:stream';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { markBackup } from '../platform/db/backupMark.ts';
import { readAppliedMigrations } from '../platform/db/migrations.ts';
import { type Db, exists, one } from '../platform/db/query.ts';
import {
  copyOutSql,
  quoteIdentifier,
  readSequences,
  readTables,
  setTextFormat,
  type Table,
} from './catalogue.store.ts';

/** A consistent snapshot of all tables. It blocks nobody. */
export type Snapshot = {
  takenAt: string;
  postgres: string;
  tables: Table[];
  level: string[];
  sequences: { name: string; value: string }[];
  read(table: Table): Readable;
  /** One line per object that a row references: see OBJECTS. */
  readObjects(): Readable;
  close(): Promise<void>;
};

/**
 * Path, type, size, and whether it must exist. A ready image is at `path`; before that, the upload is at
 * `staged_path`, or not complete yet.
 */
const OBJECTS = `copy (
  select path, media_type, bytes, true from media where state = 'ready'
  union all
  select staged_path, staged_type, staged_bytes, state = 'working' from media where state in ('uploading', 'working')
) to stdout`;

export async function openSnapshot(databaseUrl: string): Promise<Snapshot> {
  const client = await connect(databaseUrl);
  try {
    await client.query('begin isolation level repeatable read read only');
    await setTextFormat(client);
    await markBackup(client);
    const tables = await readTables(client);
    if (!tables.some(({ name }) => name === 'messages'))
      throw new Error('Nothing to back up: this database has no Settee tables.');
    // Keeps migrations from changing a table that was not read yet.
    await client.query(
      `lock table ${tables.map(({ name }) => quoteIdentifier(name)).join(', ')} in access share mode`,
    );
    const { at, version } = await one<{ at: Date; version: string }>(client)`
      select now() as at, current_setting('server_version') as version`;
    return {
      takenAt: at.toISOString(),
      postgres: version,
      tables,
      level: (await readAppliedMigrations(client)) ?? [],
      sequences: await readSequences(client),
      read: (table) => client.query(copyTo(copyOutSql(table))),
      readObjects: () => client.query(copyTo(OBJECTS)),
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Whether a row still references the object. If not, it was deleted on purpose. */
export function isObjectReferenced(db: Db, path: string): Promise<boolean> {
  return exists(db)`
    select from media where (path = ${path} and state = 'ready') or (staged_path = ${path} and state = 'working')`;
}

export async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'settee backup',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  });
  // The running query fails too and reports the error.
  client.on('error', () => {});
  await client.connect();
  return client;
}
