import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullSize } from '../../tools/fullSize.ts';
import { openDiskMedia } from '../src/adapters/diskMedia.ts';
import { s3Media } from '../src/adapters/s3Media.ts';
import { systemClock, systemRandom } from '../src/adapters/system.ts';
import type { MediaStore } from '../src/ports.ts';
import { emptyDatabase, environmentOf, newBucket, newFolder, settee } from './backupWorld.ts';
import { createTestDatabase } from './database.ts';
import { doctorOf } from './doctorWorld.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff } from './people.ts';

let server: TestServer;
let folder: Awaited<ReturnType<typeof newFolder>>;
beforeAll(async () => {
  server = await startTestServer();
  folder = await newFolder();
});
afterAll(async () => {
  await server.close();
  await folder.remove();
});

async function onDisk(): Promise<{ media: MediaStore; env: Record<string, string> }> {
  const mediaRoot = folder.path('media');
  const parts = { clock: systemClock, random: systemRandom };
  const media = await openDiskMedia({ ...server.app.config, mediaRoot }, parts);
  const { databaseUrl: DATABASE_URL, app } = server;
  const { secret: SECRET, publicUrl: PUBLIC_URL } = app.config;
  return { media, env: { DATABASE_URL, SECRET, PUBLIC_URL, MEDIA_ROOT: mediaRoot } };
}

async function inBucket(): Promise<{ media: MediaStore; env: Record<string, string> }> {
  const bucket = await newBucket();
  return { media: s3Media(bucket, systemClock), env: environmentOf(server, bucket) };
}

/** A ready image: its row and its bytes. */
async function addImage(media: MediaStore, conversationId: string): Promise<string> {
  const path = `conversations/${conversationId}/media/${randomUUID()}.png`;
  await server.app.db.pool.query(
    `insert into media (id, conversation_id, from_owner, author_id, state, staged_path, staged_type, staged_bytes,
       path, file_name, media_type, bytes, width, height, thumbhash)
     values (gen_random_uuid(), $1, false, gen_random_uuid(), 'ready', $2, 'image/png', 3, $3, 'x', 'image/png', 3, 1, 1, 'x')`,
    [conversationId, `uploads/${conversationId}/${randomUUID()}`, path],
  );
  await media.put(path, Buffer.from('png'), 'image/png');
  return path;
}

const bucket: [string, typeof inBucket] = ['the bucket', inBucket];

test.each([['a folder', onDisk] as [string, typeof onDisk], ...fullSize([], [bucket])])(
  'objects that came into %s after the backup are deleted after a restore beside them, and nothing else',
  async (where, open) => {
    const alias = where.replace(' ', '-');
    const { media, env } = await open();
    const before = await createChat(server, alias);
    const kept = await addImage(media, before.conversationId);
    const backup = folder.path(alias);
    expect((await settee(['backup', '--to', backup], env)).code).toBe(0);

    const later = await createChat(server, alias);
    const staged = `uploads/${later.conversationId}/${randomUUID()}`;
    await media.put(staged, Buffer.from('png'), 'image/png');
    const strays = [
      await addImage(media, before.conversationId),
      await addImage(media, later.conversationId),
      await addImage(media, later.conversationId),
      staged,
    ];
    const foreign = 'conversations/read.me';
    await media.put(foreign, Buffer.from('not ours'), 'text/plain');

    const database = await emptyDatabase();
    try {
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
      for (const path of strays) expect(await media.head(path), path).toBeDefined();
      for (const removed of [4, 0]) {
        expect(await settee(['restore', 'sweep'], restored)).toEqual({
          code: 0,
          out: `Removed ${removed} images without a row.\n`,
          err: '',
        });
      }
      for (const path of strays) expect(await media.head(path), path).toBeUndefined();
      for (const path of [kept, foreign]) expect(await media.head(path), path).toBeDefined();
    } finally {
      await database.drop();
    }
  },
);

test('[OPS-134] [MAIL-08] after point-in-time recovery, sessions end, addresses of visitors are gone, and what was erased later is erased again', async () => {
  const { media, env: asApplication } = await onDisk();
  const env = { ...asApplication, DATABASE_OWNER_URL: server.ownerUrl };
  const staff = await createStaff(server, 'recovered');
  const [gone, kept] = [await createChat(server, 'recovered'), await createChat(server, 'recovered')];
  const image = {
    gone: await addImage(media, gone.conversationId),
    kept: await addImage(media, kept.conversationId),
  };
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
  for (const again of [1, 0]) {
    const { code, out } = await settee([...recovered, '--anyway'], env);
    expect([code, out]).toEqual([0, expect.stringContaining(`Erased again: ${again} of 1 conversation.`)]);
  }
  expect((await staff.call('GET', '/queue')).status).toBe(401);
  const { rows } = await server.app.db.pool.query('select id from conversations where handler_alias = $1', [
    'recovered',
  ]);
  expect(rows).toEqual([{ id: kept.conversationId }]);
  expect((await server.app.db.pool.query('select from visitor_mails')).rows).toEqual([]);
  expect((await settee(['restore', 'sweep'], env)).code).toBe(0);
  expect(await media.head(image.gone)).toBeUndefined();
  expect(await media.head(image.kept)).toBeDefined();
  expect((await settee(['audit', 'verify'], env)).code).toBe(0);

  const stopped = await createTestDatabase();
  const alone = { ...env, DATABASE_URL: stopped.url, DATABASE_OWNER_URL: stopped.ownerUrl };
  const done = await settee(recovered, alone);
  await stopped.drop();
  const name = new URL(stopped.ownerUrl).pathname.slice(1);
  expect([done.code, done.out]).toEqual([0, expect.stringContaining(`recovery of the database ${name} at `)]);
  expect(done.out + done.err).not.toContain('backup');
});
