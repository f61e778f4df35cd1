import { randomUUID } from 'node:crypto';
import { cp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFull } from '../../../tools/fullSize.ts';
import { writeAnchor } from '../../src/audit/auditAnchors.ts';
import { verifyAudit } from '../../src/audit/verifyAudit.ts';
import { fillFolder } from '../../src/backup/folder.ts';
import { makeBackup } from '../../src/backup/makeBackup.ts';
import { objectFile, readManifest, tableFile, writeManifest } from '../../src/backup/manifest.ts';
import { idsIn, restoreBackup } from '../../src/backup/restoreBackup.ts';
import { verifyBackup } from '../../src/backup/verifyBackup.ts';
import { openDiskMedia } from '../../src/media/diskMedia.adapter.ts';
import { systemClock, systemRandom } from '../../src/platform/adapters/system.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { migrateTo } from '../../src/platform/db/migrate.ts';
import { countMissingMigrations, shippedMigrations } from '../../src/platform/db/migrations.ts';
import { createLog } from '../../src/platform/log/log.ts';
import type { MediaStore } from '../../src/platform/ports/ports.ts';
import { createTestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { doctorOf, emptyDatabase, environmentOf, newFolder, settee } from '../support/operatorWorld.ts';
import { createAdministrator, createChat, createStaff } from '../support/people.ts';
import { writeConversations } from '../support/writtenConversations.ts';

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
  await createAdministrator(server);
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
async function image(
  state: 'uploading' | 'working' | 'ready',
  body: Buffer | undefined,
  id = conversationId,
): Promise<string> {
  const [staged, path] = [`uploads/${id}/${randomUUID()}`, `conversations/${id}/media/${randomUUID()}.png`];
  await server.app.db.pool.query(
    `insert into media (id, conversation_id, from_owner, author_id, state, staged_path, staged_type, staged_bytes,
       path, file_name, media_type, bytes, width, height, thumbhash)
     values (gen_random_uuid(), $1, false, gen_random_uuid(), $2, $3, 'image/jpeg', $5, $4, 'x', 'image/png', $5, 1, 1, 'x')`,
    [id, state, staged, path, body?.length ?? 1],
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

const lengthOf = async (file: string): Promise<number> => (await stat(file)).size;
const messages = tableFile('messages');
const invites = tableFile('invites');

test.each<[what: string, damage: (to: string) => Promise<void>, says: () => string]>([
  [
    'a byte of a table',
    async (to) => flip(join(to, messages), Math.floor((await lengthOf(join(to, messages))) / 2)),
    () => 'messages.copy.zst',
  ],
  [
    'the last byte of a table',
    async (to) => flip(join(to, invites), (await lengthOf(join(to, invites))) - 1),
    () => 'invites.copy.zst',
  ],
  [
    'a table cut off',
    async (to) => truncate(join(to, messages), Math.floor((await lengthOf(join(to, messages))) / 2)),
    () => 'messages.copy.zst is truncated',
  ],
  ['a missing table', (to) => rm(join(to, tableFile('audit'))), () => 'audit.copy.zst is missing'],
  [
    'a byte of an object',
    (to) => flip(join(to, objectFile(paths.ready)), 17),
    () => `the object ${paths.ready} was changed`,
  ],
  [
    'a missing object',
    (to) => rm(join(to, objectFile(paths.working))),
    () => `the object ${paths.working} is missing`,
  ],
  [
    'a byte of the list of objects',
    (to) => flip(join(to, 'objects.jsonl'), 5),
    () => 'objects.jsonl is missing or was changed',
  ],
  ['a byte of the manifest', (to) => flip(join(to, 'manifest.json'), 40), () => 'its SHA-256 differs'],
  ['a missing manifest', (to) => rm(join(to, 'manifest.json')), () => 'There is no complete backup'],
])('[OPS-33] %s is found, and nothing is restored', async (what, damage, says) => {
  const backup = await copyOf(what);
  await verifyBackup(backup);
  await damage(backup);
  await expect(verifyBackup(backup)).rejects.toThrow(says());
  // Refused before it connects to any database.
  const config = { ...server.app.config, databaseUrl: 'postgres://127.0.0.1:1/nowhere' };
  const parts = { config, media: await disk('never'), log: () => {}, warn: () => {} };
  await expect(restoreBackup(parts, backup)).rejects.toThrow(says());
  await rm(backup, { recursive: true });
});

test('[OPS-33] an incomplete backup leaves nothing that looks like one', async () => {
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
  'missing objects are reported; pending work continues; another SECRET is warned of; doctor reports a broken restore',
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
    }
  },
);

test.runIf(isFull)(
  'a backup of an earlier release is migrated; one of a later release is refused',
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
  },
);

test('[OPS-33] a backup is signed; verification checks the signature if it knows SECRET', async () => {
  const whole = folder.path('whole');
  const { secret } = server.app.config;
  for (const secrets of [{ secret }, { secret: 'n'.repeat(32), secretPrevious: secret }])
    await verifyBackup(whole, secrets);
  const unknown = verifyBackup(whole, { secret: 'n'.repeat(32) });
  await expect(unknown).rejects.toThrow('its signature is not valid');
  const without = await settee(['backup', 'verify', '--from', whole], {});
  expect([without.code, without.out]).toEqual([0, expect.stringContaining('was not checked')]);
});

test('[OPS-33] a changed or unsigned backup is refused, unless the operator allows it', async () => {
  const [changed, unsigned] = [await copyOf('changed'), await copyOf('unsigned')];
  // As an attacker with write access, who knows everything but SECRET.
  const signature = await readFile(`${changed}/manifest.hmac`);
  const { format: _, ...manifest } = await readManifest(changed);
  await writeManifest(changed, { ...manifest, release: '6.6.6' }, { secret: 'x'.repeat(32) });
  await rm(`${unsigned}/manifest.hmac`);
  const database = await emptyDatabase();
  const env = { ...environmentOf(server), DATABASE_URL: database.url };
  const config = { ...server.app.config, databaseUrl: database.url };
  const parts = { config, media: await disk('never'), log: () => {}, warn: () => {} };
  const refused = (backup: string, says: string | RegExp) =>
    expect(restoreBackup(parts, backup)).rejects.toThrow(says);
  await refused(changed, /signature is not valid\. Nothing was restored.*--allow-unsigned/);
  await writeFile(`${changed}/manifest.hmac`, signature);
  await refused(changed, 'its signature is not valid');
  await refused(unsigned, 'manifest.hmac is missing');
  const allowed = await settee(['restore', '--from', unsigned, '--allow-unsigned'], env);
  expect([allowed.code, allowed.err]).toEqual([
    0,
    expect.stringMatching(
      /^Warning: manifest\.json is not signed.* for example an administrator\. Check the/,
    ),
  ]);
});

/** The environment of a command with this installation's images in a folder. */
function onDisk(): Record<string, string> {
  const MEDIA_ROOT = folder.path('media');
  const { databaseUrl: DATABASE_URL, app } = server;
  const { secret: SECRET, publicUrl: PUBLIC_URL } = app.config;
  return { DATABASE_URL, SECRET, PUBLIC_URL, MEDIA_ROOT };
}

test('images that came into the store after the backup are deleted after a restore beside them, and nothing else', async () => {
  const alias = 'swept';
  const env = onDisk();
  const before = await createChat(server, alias);
  const kept = await image('ready', Buffer.from('png'), before.conversationId);
  const backup = folder.path(alias);
  await makeBackup({ config: server.app.config, media }, backup);

  const later = await createChat(server, alias);
  const staged = `uploads/${later.conversationId}/${randomUUID()}`;
  await media.put(staged, Buffer.from('png'), 'image/png');
  const strays = [
    await image('ready', Buffer.from('png'), before.conversationId),
    await image('ready', Buffer.from('png'), later.conversationId),
    await image('ready', Buffer.from('png'), later.conversationId),
    staged,
  ];
  const foreign = 'conversations/read.me';
  await media.put(foreign, Buffer.from('not ours'), 'text/plain');

  const database = await emptyDatabase();
  const restored = { ...env, DATABASE_URL: database.url };
  const { code, out } = await settee(['restore', '--from', backup], restored);
  expect([code, out]).toEqual([0, expect.stringContaining('restore sweep')]);
  const findings = await doctorOf(restored, { offline: true });
  expect(findings.filter(({ check }) => check === 'restore')).toEqual([]);
  // The old rows still refer to all objects, so nothing is removed.
  expect(await settee(['restore', 'sweep'], env)).toMatchObject({
    code: 1,
    err: expect.stringContaining('this database was not restored'),
  });
  const named = await settee(['restore', 'sweep', '--dry-run'], restored);
  expect(named.out.trim().split('\n').toSorted()).toEqual(
    [...strays, 'Would remove 4 images without a row.'].toSorted(),
  );
  // The database is a copy that is older than the store, because DATABASE_URL is wrong.
  const { db, config } = server.app;
  await writeAnchor({ db, media, secret: config.secret, clock: systemClock, log: createLog('silent') });
  expect(await settee(['restore', 'sweep', '--anyway'], restored)).toMatchObject({
    code: 1,
    err: expect.stringContaining('so it belongs to another one. Nothing was removed.'),
  });
  await media.removeAll('anchors');
  expect(await settee(['restore', 'sweep'], restored)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/refers to only 3 of 7 images\. Nothing was removed/),
  });
  for (const path of strays) expect(await media.head(path), path).toBeDefined();
  expect(await settee(['restore', 'sweep', '--anyway'], restored)).toEqual({
    code: 0,
    out: 'Removed 4 images without a row.\n',
    err: '',
  });
  for (const path of strays) expect(await media.head(path), path).toBeUndefined();
  for (const path of [kept, foreign]) expect(await media.head(path), path).toBeDefined();
});

test('[OPS-134] [MAIL-08] after point-in-time recovery, sessions end, addresses of visitors are gone, and what was erased later is erased again', async () => {
  const env = { ...onDisk(), DATABASE_OWNER_URL: server.ownerUrl };
  const staff = await createStaff(server, 'recovered');
  const [gone, kept] = [await createChat(server, 'recovered'), await createChat(server, 'recovered')];
  const list = folder.path('erased.txt');
  await writeFile(list, gone.conversationId);
  await server.app.db.pool.query(
    `insert into visitor_mails (conversation_id, visitor_id, address) values ($1, $1, 'x')`,
    [kept.conversationId],
  );

  // The gateway runs, so this may be the wrong database.
  const [recovered, { pathname }] = [['restore', 'recovered', '--erased', list], new URL(server.ownerUrl)];
  expect(await settee(recovered, env)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`use the database ${pathname.slice(1)} at `),
  });
  expect((await staff.call('GET', '/queue')).status).toBe(200);
  const { code, out } = await settee([...recovered, '--anyway'], env);
  expect([code, out]).toEqual([0, expect.stringContaining('Erased again: 1 of 1 conversation.')]);
  expect((await staff.call('GET', '/queue')).status).toBe(401);
  const { rows } = await server.app.db.pool.query('select id from conversations where handler_alias = $1', [
    'recovered',
  ]);
  expect(rows).toEqual([{ id: kept.conversationId }]);
  expect((await server.app.db.pool.query('select from visitor_mails')).rows).toEqual([]);
  expect(await verifyAudit(server.app)).toMatchObject({ whole: true });

  const stopped = await createTestDatabase();
  const alone = { ...env, DATABASE_URL: stopped.url, DATABASE_OWNER_URL: stopped.ownerUrl };
  const done = await settee(recovered, alone);
  const name = new URL(stopped.ownerUrl).pathname.slice(1);
  expect([done.code, done.out]).toEqual([0, expect.stringContaining(`recovery of the database ${name} at `)]);
  expect(done.out + done.err).not.toContain('backup');
});
