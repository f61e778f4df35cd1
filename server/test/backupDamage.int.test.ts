import { randomUUID } from 'node:crypto';
import { cp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFull } from '../../tools/fullSize.ts';
import { openDiskMedia } from '../src/adapters/diskMedia.ts';
import { systemClock, systemRandom } from '../src/adapters/system.ts';
import { fillFolder } from '../src/backup/folder.ts';
import { makeBackup } from '../src/backup/makeBackup.ts';
import { objectFile, readManifest, tableFile, writeManifest } from '../src/backup/manifest.ts';
import { idsIn, restoreBackup } from '../src/backup/restoreBackup.ts';
import { verifyBackup } from '../src/backup/verifyBackup.ts';
import { openDatabase } from '../src/db/engine/database.ts';
import { migrateTo } from '../src/db/engine/migrate.ts';
import { countMissingMigrations, shippedMigrations } from '../src/db/engine/migrations.ts';
import type { MediaStore } from '../src/ports.ts';
import { emptyDatabase, environmentOf, newFolder, settee } from './backupWorld.ts';
import { doctorOf } from './doctorWorld.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat } from './people.ts';
import { writeConversations } from './writtenConversations.ts';

let server: TestServer;
let folder: Awaited<ReturnType<typeof newFolder>>;
let media: MediaStore;
let conversationId: string;
const paths = { ready: '', working: '', gone: '' };
beforeAll(async () => {
  folder = await newFolder();
  server = await startTestServer();
  media = await disk('media');
  ({ conversationId } = await createChat(server, 'damage'));
  await writeConversations(server, { alias: 'damage', conversations: 20, messages: 50 });
  paths.ready = await image('ready', Buffer.alloc(5_000, 'r'));
  paths.working = await image('working', Buffer.alloc(3_000, 'w'));
  paths.gone = await image('ready', undefined);
  // The upload was announced but never arrived, so nothing is missing.
  await image('uploading', undefined);
  await makeBackup({ config: server.app.config, media }, folder.path('whole'));
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

function disk(name: string) {
  const config = { ...server.app.config, mediaRoot: folder.path(name) };
  return openDiskMedia(config, { clock: systemClock, random: systemRandom });
}

/** Inserts a media row and, with a body, its object. */
async function image(state: 'uploading' | 'working' | 'ready', body: Buffer | undefined): Promise<string> {
  const [staged, path] = [
    `uploads/${conversationId}/${randomUUID()}`,
    `conversations/${conversationId}/media/${randomUUID()}.png`,
  ];
  await server.app.db.pool.query(
    `insert into media (id, conversation_id, from_owner, author_id, state, staged_path, staged_type, staged_bytes,
       path, file_name, media_type, bytes, width, height, thumbhash)
     values (gen_random_uuid(), $1, false, gen_random_uuid(), $2, $3, 'image/jpeg', $5, $4, 'x', 'image/png', $5, 1, 1, 'x')`,
    [conversationId, state, staged, path, body?.length ?? 1],
  );
  const where = state === 'ready' ? path : staged;
  if (body !== undefined) await media.put(where, body, state === 'ready' ? 'image/png' : 'image/jpeg');
  return where;
}

async function copyOf(name: string): Promise<string> {
  await cp(folder.path('whole'), folder.path(name), { recursive: true });
  return folder.path(name);
}

async function flip(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+');
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
  buffer[0] = (buffer[0] ?? 0) ^ 1;
  await handle.write(buffer, 0, 1, at);
  await handle.close();
}

async function middleOf(file: string): Promise<number> {
  return Math.floor((await stat(file)).size / 2);
}

test.runIf(isFull)(
  '[OPS-33] a flipped byte, a missing file and a cut file are found, and nothing is restored',
  async () => {
    const damages: [string, (backup: string) => Promise<void>, string][] = [
      [
        'byte of a table',
        async (to) => flip(join(to, tableFile('messages')), await middleOf(join(to, tableFile('messages')))),
        'messages.copy.zst',
      ],
      [
        'last byte of a table',
        async (to) =>
          flip(join(to, tableFile('invites')), (await stat(join(to, tableFile('invites')))).size - 1),
        'invites.copy.zst',
      ],
      [
        'table cut off',
        async (to) =>
          truncate(join(to, tableFile('messages')), await middleOf(join(to, tableFile('messages')))),
        'messages.copy.zst is truncated',
      ],
      ['no table', (to) => rm(join(to, tableFile('audit'))), 'audit.copy.zst is missing'],
      [
        'byte of an object',
        (to) => flip(join(to, objectFile(paths.ready)), 17),
        `the object ${paths.ready} was changed`,
      ],
      [
        'no object',
        (to) => rm(join(to, objectFile(paths.working))),
        `the object ${paths.working} is missing`,
      ],
      [
        'object cut off',
        (to) => truncate(join(to, objectFile(paths.ready)), 100),
        `the object ${paths.ready} was changed`,
      ],
      [
        'byte of the list',
        (to) => flip(join(to, 'objects.jsonl'), 5),
        'objects.jsonl is missing or was changed',
      ],
      ['byte of the manifest', (to) => flip(join(to, 'manifest.json'), 40), 'its SHA-256 differs'],
      ['no manifest', (to) => rm(join(to, 'manifest.json')), 'There is no complete backup'],
    ];
    const database = await emptyDatabase();
    const config = { ...server.app.config, databaseUrl: database.url };
    for (const [name, damage, says] of damages) {
      const backup = await copyOf(name);
      await verifyBackup(backup);
      await damage(backup);
      await expect(verifyBackup(backup), name).rejects.toThrow(says);
      const parts = { config, media: await disk('never'), log: () => {}, warn: () => {} };
      await expect(restoreBackup(parts, backup), name).rejects.toThrow(says);
      await rm(backup, { recursive: true });
    }
    const db = openDatabase(database.url, 1);
    expect(
      (await db.pool.query("select from pg_class where relnamespace = 'public'::regnamespace")).rowCount,
    ).toBe(0);
    await db.close();
    await database.drop();
  },
);

test.runIf(isFull)('[OPS-33] an incomplete backup leaves nothing that looks like one', async () => {
  const broken = { ...media, get: () => Promise.reject(new Error('the store is away')) };
  const target = folder.path('broken');
  await expect(makeBackup({ config: server.app.config, media: broken }, target)).rejects.toThrow('is away');
  await expect(stat(target)).rejects.toThrow('ENOENT');
  // As after kill -9: the files have a temporary name, and there is no manifest.
  let draft = '';
  await expect(
    fillFolder(target, async (name) => {
      draft = name;
      await cp(folder.path('whole/tables'), join(name, 'tables'), { recursive: true });
      await expect(verifyBackup(name)).rejects.toThrow('There is no complete backup');
      throw new Error('over');
    }),
  ).rejects.toThrow('over');
  expect([dirname(draft), draft.endsWith('.partial')]).toEqual([dirname(target), true]);
  await expect(makeBackup({ config: server.app.config, media }, folder.path('whole'))).rejects.toThrow(
    'already exists',
  );
});

test.runIf(isFull)(
  '[OPS-32] missing objects are reported; pending work continues; another SECRET is warned of; doctor reports a broken restore',
  async () => {
    const { objects } = await readManifest(folder.path('whole'));
    expect(objects).toMatchObject({ count: 2, bytes: 8_000, lost: [paths.gone] });
    expect(await readFile(folder.path('whole/manifest.json'), 'utf8')).not.toContain(
      server.app.config.secret,
    );
    const database = await emptyDatabase();
    const [warnings, lines]: [string[], string[]] = [[], []];
    const there = await disk('restored');
    await restoreBackup(
      {
        config: { databaseUrl: database.url, cell: 'zz', secret: 'another secret, that nobody knows' },
        media: there,
        log: (line) => lines.push(line),
        warn: (line) => warnings.push(line),
        allowUnsigned: true,
      },
      folder.path('whole'),
    );
    expect(warnings.map((text) => text.split(' ', 2).join(' '))).toEqual([
      'manifest.json was',
      'SECRET is',
      'CELL is',
      '1 images',
      'everything else',
    ]);
    expect(await there.head(paths.ready)).toEqual({ bytes: 5_000, type: 'image/png' });
    expect(await there.head(paths.working)).toEqual({ bytes: 3_000, type: 'image/jpeg' });
    const db = openDatabase(database.url, 1);
    try {
      const { rows } = await db.pool.query(
        'select task_identifier, count(*)::integer from graphile_worker.jobs group by 1',
      );
      expect(rows).toEqual([{ task_identifier: 'processMedia', count: 1 }]);
      // Erased after the backup: an operator who kept the ids erases them again. An interrupted restore can be finished,
      // also twice.
      await writeFile(folder.path('ids'), `${conversationId}\n${randomUUID()}\n`);
      const env = { ...environmentOf(server), DATABASE_URL: database.url };
      const restoreSays = async () =>
        (await doctorOf(env, { offline: true })).filter(({ check }) => check === 'restore');
      expect(await restoreSays()).toEqual([
        expect.objectContaining({ level: 'failure', remedy: expect.stringContaining('restore erase') }),
      ]);
      for (const erased of [1, 0]) {
        expect(await settee(['restore', 'erase', '--erased', folder.path('ids')], env)).toEqual({
          code: 0,
          out: `Erased again: ${erased} of 2 conversations.\n`,
          err: '',
        });
      }
      expect(
        (await db.pool.query('select from conversations where id = $1', [conversationId])).rowCount,
      ).toBe(0);
      expect(await restoreSays()).toEqual([]);
      expect(() => idsIn('all of them')).toThrow('not a conversation');
    } finally {
      await db.close();
      await database.drop();
    }
  },
);

test.runIf(isFull)(
  '[OPS-32] a backup of an earlier release is migrated; one of a later release is refused',
  async () => {
    const old = await emptyDatabase();
    // Tables without functions: 0.2.0, which had no mails, keys and webhooks.
    const earlier = shippedMigrations.filter((name) => name < '20261119');
    await migrateTo(old.url, { count: earlier.length });
    const before = openDatabase(old.url, 1);
    await before.pool.query("insert into handlers (alias) values ('early')");
    await before.close();
    const made = await makeBackup(
      { config: { ...server.app.config, databaseUrl: old.url }, media },
      folder.path('old'),
    );
    expect(made.migrations).toEqual(earlier);
    const database = await emptyDatabase();
    const config = { ...server.app.config, databaseUrl: database.url };
    const parts = { config, media: await disk('old-media'), log: () => {}, warn: () => {} };
    const later = await copyOf('later');
    const { format: _, ...manifest } = await readManifest(later);
    await writeManifest(
      later,
      {
        ...manifest,
        migrations: [...manifest.migrations, '20990101000000_flying'],
      },
      config,
    );
    await expect(restoreBackup(parts, later)).rejects.toThrow('20990101000000_flying');
    await restoreBackup(parts, folder.path('old'));
    const db = openDatabase(database.url, 1);
    expect((await db.pool.query('select alias from handlers')).rows).toEqual([{ alias: 'early' }]);
    expect(await countMissingMigrations(db)).toBe(0);
    await db.close();
    // A manifest that contradicts its rows is found, even if every file has its correct checksum.
    const liar = await copyOf('liar');
    const [first, ...rest] = manifest.tables;
    if (first === undefined) throw new Error('no tables');
    await writeManifest(liar, { ...manifest, tables: [{ ...first, rows: first.rows + 1 }, ...rest] }, config);
    await expect(verifyBackup(liar)).rejects.toThrow('not those of the manifest');
    // A failure after the tables were created says how to retry, because existing tables would refuse the next attempt.
    const [late, third] = [await copyOf('late'), await emptyDatabase()];
    const sequences = [...manifest.sequences, { name: 'no_such_numbers', value: '1' }];
    await writeManifest(late, { ...manifest, sequences }, config);
    const again = restoreBackup({ ...parts, config: { ...config, databaseUrl: third.url } }, late);
    await expect(again).rejects.toThrow(/no_such_numbers.*\n.*drop and create it, then run this again/);
    for (const each of [old, database, third]) await each.drop();
  },
);
