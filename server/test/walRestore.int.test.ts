import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chown, copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { killPostgres, postgresUrl, startPostgres, stopPostgres } from '../../tools/engines/postgres.ts';
import { instanceFolder } from '../../tools/engines/state.ts';
import { isFull } from '../../tools/fullSize.ts';
import { digestRows } from '../src/backup/fileDigest.ts';
import { openSnapshot } from '../src/db/backup/snapshot.ts';
import { migrate } from '../src/db/engine/migrate.ts';
import { Appender } from '../src/db/message/appender.ts';

// A separate PostgreSQL is created, killed and recovered twice.
vi.setConfig({ testTimeout: 400_000 });

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
    // Small, so that there are several segments to archive.
    "alter system set max_wal_size = '64MB'",
    // A recycled segment has the name of a future one, so the last by name would not be the last written.
    'alter system set wal_recycle = off',
  );
  await stopPostgres(INSTANCE);
  await startPostgres(INSTANCE);
  await migrate({ databaseUrl: url });
});
afterAll(async () => {
  await killPostgres(INSTANCE);
  await rm(home, { recursive: true, force: true });
  await rm(instanceFolder(INSTANCE), { recursive: true, force: true });
});

/** Creates a folder for the user that PostgreSQL runs as. */
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

type Acknowledged = { conversationId: string; seq: number; id: string; text: string };

async function writeConversations(): Promise<{ id: string; visitorId: string }[]> {
  const { rows } = await ask(
    "insert into handlers (alias) values ('wal')",
    `with invited as (
       insert into invites (token_hash, handler_alias, state, expires_at)
       select sha256(gen_random_uuid()::text::bytea), 'wal', 'BOUND', now() + interval '1 day'
       from generate_series(1, ${CONVERSATIONS}) returning id
     ), begun as (
       insert into conversations (invite_id, handler_alias, visitor_id)
       select id, 'wal', gen_random_uuid() from invited returning id, visitor_id
     )
     insert into devices (conversation_id, visitor_id, credential, first)
     select id, visitor_id, '', true from begun returning conversation_id as id, visitor_id as "visitorId"`,
  );
  return rows;
}

/** Everybody writes until PostgreSQL dies. Returns the messages that the appender acknowledged. */
function keepWriting(people: { id: string; visitorId: string }[]) {
  const acknowledged: Acknowledged[] = [];
  const appender = new Appender(url, 2);
  let over = false;
  const writing = people.map(async ({ id: conversationId, visitorId: authorId }) => {
    while (!over) {
      const [id, text] = [randomUUID(), `${'words '.repeat(200)}${acknowledged.length}`];
      const draft = {
        conversationId,
        id,
        text,
        authorId,
        fromOwner: false,
        alias: null,
        after: null,
        mediaId: null,
      };
      const stored = await appender.append(draft).catch(() => undefined);
      // A busy machine may be too slow for one message: try the next.
      if (stored === undefined) await sleep(50);
      else if (stored.outcome !== 'stored') return;
      else acknowledged.push({ conversationId, seq: stored.seq, id, text });
    }
  });
  return {
    acknowledged,
    async end() {
      over = true;
      await Promise.all(writing);
      await appender.close();
    },
  };
}

/** Uses the interface of pg_basebackup. The files may change during the copy: the WAL repairs that. */
async function baseBackup(to: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("select pg_backup_start('walRestore', true)");
  copyAsOwner(at('data'), to);
  const { rows } = await client.query('select labelfile, spcmapfile from pg_backup_stop(false)');
  await client.end();
  for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(join(to, name), { force: true });
  await rm(join(to, 'pg_wal'), { recursive: true });
  await mkdir(join(to, 'pg_wal'), { mode: 0o700 });
  await writeFile(join(to, 'backup_label'), rows[0].labelfile);
}

/** cp exits with 1 if a file disappeared meanwhile, which does not matter here. */
function copyAsOwner(from: string, to: string): void {
  spawnSync('cp', ['-a', from, to], { stdio: 'ignore' });
}

/** WAL that was not archived when PostgreSQL died, so it exists only on the dead server. */
async function unarchived(): Promise<string[]> {
  const [there, archived] = await Promise.all([readdir(at('data', 'pg_wal')), readdir(at('archive'))]);
  return there.filter((name) => /^[0-9A-F]{24}$/.test(name) && !archived.includes(name)).toSorted();
}

/** Recovers to the end of the archive, and returns the messages. */
async function recover(base: string, archive: string): Promise<{ messages: Acknowledged[]; digest: string }> {
  await killPostgres(INSTANCE);
  await rm(at('data'), { recursive: true, force: true });
  copyAsOwner(base, at('data'));
  await writeFile(
    at('data', 'postgresql.auto.conf'),
    `restore_command = 'cp "${archive}/%f" "%p"'\narchive_mode = 'off'\n`,
  );
  await writeFile(at('data', 'recovery.signal'), '');
  const { uid, gid } = await stat(home);
  spawnSync('chown', ['-R', `${uid}:${gid}`, at('data')]);
  await startPostgres(INSTANCE);
  await expect.poll(async () => (await ask('select pg_is_in_recovery() as still')).rows[0].still).toBe(false);
  const { rows } = await ask('select conversation_id as "conversationId", seq, id, text from messages');
  const digest = await messagesDigest();
  return { messages: rows, digest };
}

async function messagesDigest(): Promise<string> {
  const snapshot = await openSnapshot(url);
  const table = snapshot.tables.find(({ name }) => name === 'messages');
  if (table === undefined) throw new Error('no messages');
  const { digest } = await digestRows(snapshot.read(table));
  await snapshot.close();
  return digest;
}

const keyOf = ({ conversationId, seq, id, text }: Acknowledged): string =>
  JSON.stringify([conversationId, seq, id, text]);

test.runIf(isFull)(
  '[OPS-134] base backup and WAL: after kill -9 every acknowledged message is restored, and a missing segment is noticed',
  async () => {
    const people = await writeConversations();
    const writing = keepWriting(people);
    await vi.waitUntil(() => writing.acknowledged.length > 200, { timeout: 120_000 });
    await baseBackup(at('base'));
    const atBase = writing.acknowledged.length;
    await ask('select pg_switch_wal()');
    await vi.waitUntil(() => writing.acknowledged.length > atBase + 500, { timeout: 120_000 });
    await killPostgres(INSTANCE);
    await writing.end();
    const { acknowledged } = writing;
    expect(acknowledged.length).toBeGreaterThan(atBase);

    const left = await unarchived();
    expect(left.length).toBeGreaterThan(0);
    await makeFolder(at('short'));
    for (const name of await readdir(at('archive'))) await copyFile(at('archive', name), at('short', name));
    for (const name of left) await copyFile(at('data', 'pg_wal', name), at('archive', name));
    for (const name of left.slice(0, -1)) await copyFile(at('archive', name), at('short', name));
    spawnSync('chmod', ['-R', 'a+rX', at('archive'), at('short')]);
    // The dead server, started again, is the reference.
    await startPostgres(INSTANCE);
    const truth = await messagesDigest();
    await killPostgres(INSTANCE);

    const whole = await recover(at('base'), at('archive'));
    const restored = new Set(whole.messages.map(keyOf));
    expect(acknowledged.filter((message) => !restored.has(keyOf(message)))).toEqual([]);
    expect(whole.digest).toBe(truth);

    // Without the last segment: if this passed, the test would prove nothing.
    const short = await recover(at('base'), at('short'));
    const found = new Set(short.messages.map(keyOf));
    expect(acknowledged.filter((message) => !found.has(keyOf(message))).length).toBeGreaterThan(0);
    expect(short.digest).not.toBe(truth);
  },
);
