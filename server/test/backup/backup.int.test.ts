import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { verifyAudit } from '../../src/audit/verifyAudit.ts';
import { EXCLUDED_TABLES } from '../../src/backup/catalogue.store.ts';
import { readManifest, writeManifest } from '../../src/backup/manifest.ts';
import type { Jobs } from '../../src/jobs/jobs.ts';
import { s3Media } from '../../src/media/s3Media.adapter.ts';
import { systemClock } from '../../src/platform/adapters/system.ts';
import { RELEASE } from '../../src/platform/config/release.ts';
import { readBacklog } from '../../src/private/backlog.store.ts';
import { createHandler } from '../../src/staff/people/createAccount.ts';
import { PASSWORD } from '../support/browser.ts';
import { codeOf, withApp } from '../support/factors.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { emptyDatabase, environmentOf, newBucket, newFolder, settee } from '../support/operatorWorld.ts';
import { createChat, createStaff, type Person, sendOver, watchAs } from '../support/people.ts';
import { colourOf, png, RED, sendPicture, upload, workFor } from '../support/pictures.ts';
import { startProduct } from '../support/productProcess.ts';
import { writeConversations } from '../support/writtenConversations.ts';

let server: TestServer;
let jobs: Jobs;
let folder: Awaited<ReturnType<typeof newFolder>>;
beforeAll(async () => {
  server = await startTestServer({ config: { sendBurst: 100_000 } });
  jobs = await workFor(server);
  folder = await newFolder();
});
afterAll(async () => {
  await jobs.stop();
  await server.close();
  await folder.remove();
});

/** Sends until it is stopped. Returns the acknowledged messages in order. */
async function keepSending(person: Person, conversationId: string) {
  const { socket } = await watchAs(person, conversationId);
  const acknowledged: { id: string; text: string; seq: number }[] = [];
  let ended = false;
  const sending = (async () => {
    while (!ended) {
      const [id, text] = [randomUUID(), `word ${acknowledged.length}\twith\ttabs\nand \\ lines`];
      const { seq } = await sendOver(socket, conversationId, text, id);
      acknowledged.push({ id, text, seq });
    }
  })();
  return {
    acknowledged,
    async end() {
      ended = true;
      await sending;
      socket.close();
    },
  };
}

test('[OPS-31] [OPS-32] [CONSOLE-46] a backup made while people write is restored elsewhere, and serves every message and image', async () => {
  const alias = 'b-desk';
  const handler = await createStaff(server, alias);
  const admin = await withApp(server, 'admin');
  const { visitor, conversationId } = await createChat(server, alias);
  const mediaId = await upload(visitor, conversationId, { image: await png(RED) });
  await sendPicture(visitor, conversationId, mediaId);
  await writeConversations(server, { alias, conversations: 50, messages: 200 });
  await writeConversations(server, {
    alias,
    conversations: 1,
    messages: 1,
    text: "'pangolin'",
    closed: true,
  });
  const writers = [await keepSending(visitor, conversationId), await keepSending(handler, conversationId)];
  await vi.waitUntil(() => writers.every(({ acknowledged }) => acknowledged.length > 5), { timeout: 30_000 });

  const before = writers.flatMap(({ acknowledged }) => [...acknowledged]);
  const made = await settee(['backup', '--to', folder.path('one')], environmentOf(server));
  expect([made.code, made.err]).toEqual([0, '']);
  const after = writers.flatMap(({ acknowledged }) => acknowledged).length;
  for (const writer of writers) await writer.end();
  expect(after).toBeGreaterThan(before.length);
  expect((await stat(folder.path('one'))).mode & 0o777).toBe(0o700);
  expect((await stat(folder.path('one/tables/messages.copy.zst'))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder.path(''))).toEqual(['one']);
  expect((await settee(['backup', 'verify', '--from', folder.path('one')], {})).out).toContain('is complete');

  const [database, bucket] = [await emptyDatabase(), await newBucket()];
  const elsewhere = { ...environmentOf(server, bucket), DATABASE_URL: database.url };
  const restored = await settee(['restore', '--from', folder.path('one')], elsewhere);
  expect([restored.code, restored.err]).toEqual([
    0,
    expect.stringMatching(/^Warning: everything else has its old state\. .*old passwords.*\n$/),
  ]);
  const manifest = await readManifest(folder.path('one'));
  expect(restored.out).toContain(`in ${manifest.tables.length} tables, each table compared`);
  expect(restored.out).toContain('1 put into the store');
  const again = await settee(['restore', '--from', folder.path('one')], elsewhere);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('This database is not empty')]);

  const media = s3Media(bucket, systemClock);
  const gateway = await server.startAnother({ config: { databaseUrl: database.url }, media });
  const ask = (path: string, token: string) =>
    fetch(gateway.url + path, { headers: { authorization: `Bearer ${token}` } }).then(async (reply) => ({
      status: reply.status,
      body: await reply.json(),
    }));
  try {
    const { pool } = gateway.app.db;
    const { rows } = await pool.query<{ id: string; text: string; seq: number }>(
      'select id, text, seq from messages where conversation_id = $1 order by seq',
      [conversationId],
    );
    // All messages acknowledged before the backup began; of later ones, a prefix without gaps.
    expect(rows.slice(1)).toEqual(expect.arrayContaining(before));
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    const { rows: heads } = await pool.query('select last_seq from conversations where id = $1', [
      conversationId,
    ]);
    expect(heads).toEqual([{ last_seq: rows.length }]);

    const page = await ask(`/conversations/${conversationId}/messages`, visitor.browser.token);
    expect(page.body.messages.at(-1)).toMatchObject({ seq: rows.length, text: rows.at(-1)?.text });
    const picture = await ask(`/conversations/${conversationId}/media/${mediaId}`, visitor.browser.token);
    expect(picture.body.url).toContain(bucket.bucket);
    expect(await colourOf(Buffer.from(await (await fetch(picture.body.url)).arrayBuffer()))).toBe('red');
    const { socket } = await watchAs(visitor, conversationId, gateway.url);
    expect((await sendOver(socket, conversationId, 'and on')).seq).toBe(rows.length + 1);
    socket.close();

    // Sessions end. Authenticator apps still work. Recovery codes do not: they may have been used since.
    expect((await ask('/queue', handler.browser.token)).status).toBe(401);
    const signIn = (path: string, body: unknown) =>
      fetch(gateway.url + path, {
        method: 'POST',
        headers: { origin: server.app.config.publicUrl, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then((reply) => reply.json());
    const { secondFactor } = await signIn('/auth/staff/sign-in', { email: admin.email, password: PASSWORD });
    const { ticket } = secondFactor;
    const prove = (method: string, code: string | undefined) =>
      signIn('/auth/staff/second-factor', { ticket, proof: { method, code } });
    expect(await prove('recovery', admin.recoveryCodes[0])).toMatchObject({ success: false });
    const opened = await prove('totp', codeOf(server, admin.secret));
    expect(opened).toMatchObject({ success: true });
    // The backup does not contain the search index: the first search builds it.
    await expect
      .poll(async () => (await ask('/search?q=tabs', opened.idToken)).body.messages)
      .toContainEqual(
        expect.objectContaining({ conversationId, text: expect.stringContaining('with\ttabs') }),
      );

    await expect
      .poll(async () => (await ask('/search?q=pangolin', opened.idToken)).body)
      .toMatchObject({ complete: true, messages: [{ text: 'pangolin', status: 'closed' }] });

    expect(await verifyAudit({ db: gateway.app.db })).toMatchObject({ whole: true });
    const { rows: entries } = await pool.query(
      "select details from audit where action = 'installation.restore'",
    );
    expect(entries).toEqual([{ details: { takenAt: manifest.takenAt, release: RELEASE, erased: 0 } }]);
    // Sequences continue, and nothing was counted twice.
    await createHandler(
      gateway.app,
      { alias: 'b-next', email: 'next@settee.example', name: 'Next', password: PASSWORD },
      'test',
    );
    const counted =
      'select sum(conversations)::integer as n from (select conversations from figures union all select conversations from figures_fresh) f';
    const conversations = manifest.tables.find(({ name }) => name === 'conversations')?.rows;
    expect((await pool.query(counted)).rows).toEqual([{ n: conversations }]);
  } finally {
    await gateway.stop();
  }
});

test('[OPS-31] every table is in a backup, or listed as excluded', async () => {
  const { rows } = await server.app.db.pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  const { tables } = await readManifest(folder.path('one'));
  expect(tables.map(({ name }) => name).toSorted()).toEqual(
    rows
      .map(({ name }) => name)
      .filter((name) => EXCLUDED_TABLES[name] === undefined)
      .toSorted(),
  );
  for (const name of Object.keys(EXCLUDED_TABLES)) expect(rows.map((row) => row.name)).toContain(name);
});

test('the schedule makes a backup at once if the last one is missed, deletes old ones, and hands it to a program', async () => {
  const daily = folder.path('daily');
  const env = { ...environmentOf(server), BACKUP_DIR: daily, BACKUP_KEEP_DAYS: '7' };
  // By hand, and then made to look old, once with a name of our own.
  expect((await settee(['backup', '--to', folder.path('daily/mine')], env)).code).toBe(0);
  const { format: _, ...manifest } = await readManifest(folder.path('daily/mine'));
  const takenAt = new Date(Date.now() - 8 * 86_400_000).toISOString();
  for (const name of ['mine', 'settee-20260101T030000Z']) {
    await mkdir(join(daily, name), { recursive: true });
    await writeManifest(join(daily, name), { ...manifest, takenAt }, server.app.config);
  }
  await writeFile(
    folder.path('hook.mjs'),
    `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(folder.path('copied'))}, process.argv.slice(2).join());`,
  );
  const schedule = await startProduct(
    'cli',
    { ...env, PRIVATE_PORT: '', BACKUP_HOOK: `${process.execPath} ${folder.path('hook.mjs')} copy` },
    ['backup', 'schedule'],
  );
  await schedule.waitFor('backup made');
  await vi.waitFor(async () => expect(await readFile(folder.path('copied'), 'utf8')).not.toBe(''), {
    timeout: 60_000,
  });
  const [made = '', ...others] = (await readdir(daily)).filter((name) => name !== 'mine');
  expect([others, made]).toEqual([[], expect.stringMatching(/^settee-\w+$/)]);
  expect(await readFile(folder.path('copied'), 'utf8')).toBe(`copy,${join(daily, made)}`);
  expect(await schedule.stop()).toEqual([0, null]);
  expect(schedule.linesOf('backup made')).toMatchObject([{ backups: 1 }]);
  // The metric reads it from the database.
  const noted = Date.parse((await readManifest(join(daily, made))).takenAt) / 1_000;
  expect((await readBacklog(server.app.db)).backupAt).toBeCloseTo(noted, 2);
});
