import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chown, copyFile, cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { killPostgres, postgresUrl, startPostgres, stopPostgres } from '../../bin/engines/postgres.ts';
import { instanceFolder } from '../../bin/engines/state.ts';
import { digestRows } from '../src/backup/hashedFile.ts';
import { Appender } from '../src/db/appender.ts';
import { openSnapshot } from '../src/db/backup/snapshot.ts';
import { migrate } from '../src/db/migrate.ts';

// A PostgreSQL of its own is made, killed and recovered twice.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const INSTANCE = `wal-${process.pid}`;
const CONVERSATIONS = 8;

let url: string;
let home: string;
const at = (...names: string[]): string => join(home, ...names);

beforeAll(async () => {
  const record = await startPostgres(INSTANCE);
  url = postgresUrl(record);
  home = record.folder ?? '';
  await makeFolder(at('archive'));
  await ask(
    "alter system set archive_mode = 'on'",
    `alter system set archive_command = 'test ! -f "${at('archive')}/%f" && cp "%p" "${at('archive')}/%f"'`,
    // Small, so that there are several to archive.
    "alter system set max_wal_size = '64MB'",
  );
  await stopPostgres(INSTANCE);
  await startPostgres(INSTANCE);
  await migrate(url);
});
afterAll(async () => {
  await killPostgres(INSTANCE);
  await rm(home, { recursive: true, force: true });
  await rm(instanceFolder(INSTANCE), { recursive: true, force: true });
});

/** As the user that PostgreSQL runs as. */
async function makeFolder(folder: string): Promise<void> {
  const { uid, gid } = await stat(home);
  await mkdir(folder, { mode: 0o700 });
  await chown(folder, uid, gid);
}

async function ask(...statements: string[]): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    let result: pg.QueryResult | undefined;
    for (const statement of statements) result = await client.query(statement);
    if (result === undefined) throw new Error('nothing asked');
    return result;
  } finally {
    await client.end();
  }
}
