import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDiskMedia } from '../src/adapters/diskMedia.ts';
import { s3Media } from '../src/adapters/s3Media.ts';
import { systemClock, systemRandom } from '../src/adapters/system.ts';
import { insertAudit } from '../src/db/audit/audit.ts';
import { readInstallationId } from '../src/db/engine/installation.ts';
import { removeLaterAnchors, writeAnchor } from '../src/jobs/auditAnchors.ts';
import type { LogFields } from '../src/log/logFields.ts';
import type { MediaStore } from '../src/ports.ts';
import { newBucket, s3Environment, settee } from './backupWorld.ts';
import { startTestServer, type TestServer } from './harness.ts';

const SECRET = 'a secret for tests, long enough to pass';

let mediaRoot: string;
let server: TestServer;
let logged: [LogFields, string][];
beforeEach(async () => {
  mediaRoot = await mkdtemp(join(tmpdir(), 'settee-anchors-'));
  const config = { mediaRoot, publicUrl: 'http://settee.test', secret: SECRET };
  server = await startTestServer({
    media: await openDiskMedia(config, { clock: systemClock, random: systemRandom }),
  });
  logged = [];
});
afterEach(async () => {
  await server.close();
  await rm(mediaRoot, { recursive: true });
});

async function fill(count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1)
    await insertAudit(server.app.db, { actor: 'cli', action: 'retention.run', target: `${number}` });
}

function anchor(media: MediaStore = server.app.media, secret = SECRET): Promise<boolean> {
  const info = (fields: LogFields, event: string) => void logged.push([fields, event]);
  const log = { info, warn: info, error: info };
  return writeAnchor({ db: server.app.db, media, secret, clock: systemClock, log });
}

/** As the owner of the tables: removes the last entries and adapts the head. */
async function cut(entries: number): Promise<void> {
  await server.asOwner(`
    alter table audit disable trigger user;
    alter table audit_head disable trigger user;
    delete from audit where id > (select count - ${entries} from audit_head);
    update audit_head set (count, hash) = (select id, hash from audit order by id desc limit 1);
    alter table audit enable trigger user;
    alter table audit_head enable trigger user`);
}

const verify = (env: Record<string, string> = {}) =>
  settee(['audit', 'verify'], {
    DATABASE_URL: server.databaseUrl,
    SECRET,
    MEDIA_ROOT: mediaRoot,
    ...env,
  });

describe('[PRIV-05] the end of the audit log is copied to the log and to the media store', () => {
  test('once per new entry, and verification finds entries removed at the end', async () => {
    expect(await anchor()).toBe(false);
    await fill(5);
    expect([await anchor(), await anchor()]).toEqual([true, false]);
    await fill(2);
    await anchor();
    const { rows } = await server.app.db.pool.query("select encode(hash, 'hex') as hash from audit_head");
    expect(logged).toHaveLength(2);
    expect(logged[1]).toEqual([{ auditCount: 7, auditHash: rows[0].hash }, 'audit anchor']);
    const intact = await verify();
    expect([intact.code, intact.err]).toEqual([0, '']);
    expect(intact.out).toMatch(
      /It agrees with 2 anchors in the media store\. The newest .* with 7 entries\./,
    );
    await cut(2);
    const found = await verify();
    expect([found.code, found.err]).toEqual([
      1,
      'The audit log is not intact: entry 6 is missing, with all up to 7.\n',
    ]);
    // The log grows again, with other entries.
    await fill(4);
    await anchor();
    expect((await verify()).err).toContain('entry 7 has not the hash that was kept');
  });

  test('in a bucket too', async () => {
    // Not the bucket of all tests: their databases have one id, and their workers write anchors every ten minutes.
    const bucket = await newBucket();
    const media = s3Media(bucket, systemClock);
    await fill(3);
    await anchor(media);
    await cut(1);
    const env = s3Environment(bucket);
    expect((await verify(env)).err).toContain('entry 3 is missing');
    await media.removeAll(`anchors/${await readInstallationId(server.app.db)}`);
    expect((await verify(env)).out).toContain('There are no anchors');
  });

  test('signed with SECRET: another signature is reported and ignored, the previous SECRET is accepted', async () => {
    await fill(3);
    await anchor();
    const another = { SECRET: 'n'.repeat(32) };
    const changed = await verify(another);
    expect([changed.code, changed.err]).toEqual([
      0,
      'Warning: ignored 1 anchor that SECRET and SECRET_PREVIOUS did not sign.\n',
    ]);
    const rotated = await verify({ ...another, SECRET_PREVIOUS: SECRET });
    expect([rotated.err, rotated.out]).toEqual(['', expect.stringContaining('1 anchor in')]);
    const path = `anchors/${await readInstallationId(server.app.db)}/000000000000003`;
    const stored = JSON.parse(Buffer.from((await server.app.media.get(path, 1_000)) ?? []).toString());
    const forged = Buffer.from(JSON.stringify({ ...stored, count: 2 }));
    await server.app.media.put(path, forged, 'application/json');
    expect((await verify()).err).toContain('ignored 1 anchor');
  });

  test('and never served', async () => {
    await fill(1);
    await anchor();
    const path = `/media/anchors/${await readInstallationId(server.app.db)}/000000000000001`;
    expect((await fetch(server.url + path)).status).toBe(403);
  });

  test('a restore removes the anchors of entries that the backup does not have', async () => {
    for (let times = 0; times < 3; times += 1) {
      await fill(2);
      await anchor();
    }
    await cut(3);
    expect(await removeLaterAnchors(server.app)).toBe(2);
    expect((await verify()).out).toContain('It agrees with 1 anchor ');
  });
});
