import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, chownSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { killPostgres, postgresUrl, startPostgres } from '../../tools/engines/postgres.ts';
import { postgresUser } from '../../tools/engines/postgres-binaries.ts';
import { instanceFolder } from '../../tools/engines/state.ts';
import { migrate } from '../src/db/engine/migrate.ts';
import { readinessCheck } from '../src/private/readiness.ts';
import { doctorOf } from './doctorWorld.ts';
import { startTestServer } from './harness.ts';
import { createChat, sendOver, watchAs } from './people.ts';
import { soon } from './soon.ts';

// Only root can mount a separate file system.
const isRoot = process.getuid?.() === 0;
// A full disk makes every checkpoint of the server fail, also those of other databases. So this test has its own server.
const instance = `full-${process.pid}`;
const name = 'on_the_small_disk';
let disk = '';
let home = '';
let url: URL;

beforeAll(async () => {
  if (!isRoot) return;
  disk = mkdtempSync(join(tmpdir(), 'settee-small-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]);
  const user = postgresUser();
  if (user !== undefined) chownSync(disk, user.uid, user.gid);
  chmodSync(disk, 0o700);
  const record = await startPostgres(instance);
  home = record.folder ?? '';
  url = new URL(postgresUrl(record));
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query(`create tablespace ${name} location '${disk}'`);
  await client.query(`create database ${name} tablespace ${name}`);
  await client.end();
  url.pathname = `/${name}`;
});
afterAll(async () => {
  if (!isRoot) return;
  await killPostgres(instance);
  for (const folder of [home, instanceFolder(instance)]) rmSync(folder, { recursive: true, force: true });
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

/** Fills the disk completely. */
function fillDisk(): void {
  const filler = openSync(join(disk, 'filler'), 'w');
  try {
    for (;;) writeSync(filler, Buffer.alloc(1_024 * 1_024));
  } catch (error) {
    expect((error as { code?: string }).code).toBe('ENOSPC');
  } finally {
    closeSync(filler);
  }
}

test.skipIf(!isRoot)(
  '[OPS-17] a full disk of PostgreSQL: not ready after the first failed message, named by doctor, ready again once there is room',
  async () => {
    await migrate({ databaseUrl: url.href });
    const server = await startTestServer({ databaseUrl: url.href });
    const ready = readinessCheck(server.app.db, () => ({
      starting: false,
      stopping: false,
      ...server.state(),
      // A lease that could not be renewed either is another reason.
      holdsLease: true,
    }));
    // A check on a busy machine may take longer than its two seconds, and then names the database.
    const expectReadiness = (expected: object) =>
      vi.waitFor(async () => expect(await ready()).toMatchObject(expected), soon);
    try {
      const { visitor, conversationId } = await createChat(server, 'mara-east');
      const { socket } = await watchAs(visitor, conversationId);
      await sendOver(socket, conversationId, 'There is room.');
      await expectReadiness({ ready: true, reasons: [] });

      fillDisk();
      // Existing pages have room for some more messages.
      for (let sent = 0; sent < 50 && server.state().doubt === undefined; sent++) {
        const id = randomUUID();
        // Random text cannot be compressed.
        const text = randomBytes(1_990).toString('hex');
        socket.send({ type: 'send', conversationId, id, text });
        await socket.until(
          () => socket.received.some((frame) => 'id' in frame && frame.id === id),
          'no answer to a message',
          30_000,
        );
      }
      await expectReadiness({ ready: false, reasons: ['writes'] });
      const env = { DATABASE_URL: url.href, SECRET: server.app.config.secret };
      const found = await doctorOf(env, { offline: true });
      expect(found).toContainEqual({
        check: 'database',
        level: 'failure',
        says: 'its disk is full: no message can be stored',
        remedy: expect.stringContaining('Free space'),
      });

      rmSync(join(disk, 'filler'));
      await expectReadiness({ ready: true, reasons: [] });
      expect(server.state().doubt).toBeUndefined();
      socket.close();
      // A new socket: on the other one no message may overtake the refused one.
      const again = await watchAs(visitor, conversationId);
      await sendOver(again.socket, conversationId, 'There is room again.');
      again.socket.close();
    } finally {
      await server.close();
    }
  },
);
