import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { removeLaterAnchors, writeAnchor } from '../../src/audit/auditAnchors.ts';
import { type RecordedHead, verifyAudit } from '../../src/audit/verifyAudit.ts';
import { openDiskMedia } from '../../src/media/diskMedia.adapter.ts';
import { s3Media } from '../../src/media/s3Media.adapter.ts';
import { systemClock, systemRandom } from '../../src/platform/adapters/system.ts';
import { insertAudit } from '../../src/platform/db/audit.ts';
import { RESERVED } from '../../src/platform/db/database.ts';
import { readInstallationId } from '../../src/platform/db/installation.ts';
import type { LogFields } from '../../src/platform/log/logFields.ts';
import type { MediaStore } from '../../src/platform/ports/ports.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { inParallel } from '../support/inParallel.ts';
import { newBucket, s3Environment, settee } from '../support/operatorWorld.ts';
import { createAdministrator, createChat, createStaff, type Person } from '../support/people.ts';

const SECRET = 'a secret for tests, long enough to pass';
const ENTRIES = 12;
const MIDDLE = 6;

let server: TestServer;
let mediaRoot: string;
beforeAll(async () => {
  mediaRoot = await mkdtemp(join(tmpdir(), 'settee-audit-'));
  const config = { mediaRoot, publicUrl: 'http://settee.test', secret: SECRET };
  server = await startTestServer({
    media: await openDiskMedia(config, { clock: systemClock, random: systemRandom }),
  });
});
afterAll(async () => {
  await server.close();
  await rm(mediaRoot, { recursive: true });
});

const run = (text: string, values: unknown[] = []) => server.app.db.pool.query(text, values);

/** As the owner of the tables can: disable the triggers, and enable them afterwards. One transaction. */
async function tamper(...statements: string[]): Promise<void> {
  const triggers = (how: string) =>
    ['audit', 'audit_head'].map((table) => `alter table ${table} ${how} trigger user`);
  await server.asOwner([...triggers('disable'), ...statements, ...triggers('enable')].join(';\n'));
}

async function fill(count: number): Promise<RecordedHead> {
  for (let number = 1; number <= count; number++) {
    await insertAudit(server.app.db, {
      actor: 'cli',
      action: 'retention.run',
      target: `thing ${number} – ünïcødé`,
      details: { count: number, role: { before: 'a:b' } },
    });
  }
  return whole();
}

async function whole(kept?: RecordedHead): Promise<RecordedHead> {
  const verified = await verifyAudit(server.app, kept && [kept]);
  if (!verified.whole) throw new Error(`not intact: ${verified.id} ${verified.problem}`);
  return { count: verified.count, hash: verified.hash };
}

/** As the owner of the tables: removes the last entries and adapts the head. */
function cut(entries: number): Promise<void> {
  return tamper(
    `delete from audit where id > (select count - ${entries} from audit_head)`,
    'update audit_head set (count, hash) = (select id, hash from audit order by id desc limit 1)',
  );
}

function verify(args: string[] = [], env: Record<string, string> = {}) {
  const own = { DATABASE_URL: server.databaseUrl, SECRET, MEDIA_ROOT: mediaRoot };
  return settee(['audit', 'verify', ...args], { ...own, ...env });
}

describe('[AUDIT-01] [AUDIT-02] an audit log that was changed', () => {
  let kept: RecordedHead;
  beforeAll(async () => {
    kept = await fill(ENTRIES);
    await server.asOwner(
      'create table kept_audit as table audit; create table kept_head as table audit_head',
    );
  });
  afterEach(() =>
    tamper(
      'truncate audit',
      'insert into audit select * from kept_audit',
      'update audit_head h set count = k.count, hash = k.hash from kept_head k',
    ),
  );

  /** Changes that verification finds at an entry, with its problem. */
  test.each<[what: string, changes: string[], id: number, problem?: RegExp]>([
    ...Object.entries({
      id: `id = 4711`,
      at: `at = at + interval '1 microsecond'`,
      actor: `actor = 'clj'`,
      action: `action = 'test.dond'`,
      target: `target = replace(target, 'ünïcødé', 'ünïcøde')`,
      details: `details = jsonb_set(details, '{role,before}', '"a:c"')`,
      prev: 'prev = set_byte(prev, 31, get_byte(prev, 31) # 1)',
      hash: 'hash = set_byte(hash, 0, get_byte(hash, 0) # 1)',
      'actor and action, with text moved from one to the next': `actor = 'cl', action = 'i' || action`,
    }).map(([column, change]): [string, string[], number] => [
      `one byte of ${column}`,
      [`update audit set ${change} where id = ${MIDDLE}`],
      MIDDLE,
    ]),
    ['an entry removed', [`delete from audit where id = ${MIDDLE}`], MIDDLE, /^is missing$/],
    [
      'an entry removed, and all later ones renumbered',
      [
        `delete from audit where id = ${MIDDLE}`,
        `update audit set id = -id where id > ${MIDDLE}`,
        `update audit set id = -id - 1 where id < 0`,
      ],
      MIDDLE,
    ],
    [
      'an entry inserted before the first',
      ['insert into audit select 0, at, actor, action, target, details, prev, hash from audit where id = 1'],
      0,
    ],
    [
      'an entry inserted after the head',
      [
        `insert into audit select id + 1, at, actor, action, target, details, hash,
           audit_hash(hash, id + 1, at, actor, action, target, details) from audit where id = ${ENTRIES}`,
      ],
      ENTRIES + 1,
    ],
    [
      'two entries swapped',
      [
        `update audit set id = 1000 where id = ${MIDDLE}`,
        `update audit set id = ${MIDDLE} where id = ${MIDDLE + 1}`,
        `update audit set id = ${MIDDLE + 1} where id = 1000`,
      ],
      MIDDLE,
    ],
    [
      'an entry rewritten with a new hash',
      [
        `update audit set actor = 'system',
           hash = audit_hash(prev, id, at, 'system', action, target, details) where id = ${MIDDLE}`,
      ],
      MIDDLE + 1,
      new RegExp(`${MIDDLE}, was rewritten`),
    ],
    [
      'entries removed at the end',
      [`delete from audit where id > ${ENTRIES - 3}`],
      ENTRIES - 2,
      new RegExp(`is missing, with all up to ${ENTRIES}`),
    ],
  ])('%s', async (_what, changes, id, problem = /./) => {
    await tamper(...changes);
    expect(await verifyAudit(server.app)).toEqual({
      whole: false,
      id,
      problem: expect.stringMatching(problem),
    });
  });

  /** Changes by somebody who also forges the head: the log is consistent. */
  test.each<[what: string, changes: string[], id: number]>([
    [
      'entries removed at the end',
      [
        `delete from audit where id > ${ENTRIES - 3}`,
        'update audit_head set (count, hash) = (select id, hash from audit order by id desc limit 1)',
      ],
      ENTRIES - 2,
    ],
    [
      'all entries rewritten from the middle on',
      [
        `update audit set actor = 'system' where id = ${MIDDLE}`,
        `do $$ declare last bytea := (select hash from audit where id = ${MIDDLE - 1}); begin
           for n in ${MIDDLE}..${ENTRIES} loop
             update audit a set prev = last, hash = audit_hash(last, a.id, a.at, a.actor, a.action, a.target, a.details)
             where a.id = n returning a.hash into last;
           end loop;
           update audit_head set hash = last;
         end $$`,
      ],
      ENTRIES,
    ],
  ])('with a forged head, only the copy kept elsewhere finds: %s', async (_what, changes, id) => {
    await tamper(...changes);
    await whole();
    expect(await verifyAudit(server.app, [kept])).toMatchObject({ whole: false, id });
  });

  test('the command says where to look, and takes the copy kept elsewhere', async () => {
    const known = ['--count', String(ENTRIES), '--head', kept.hash];
    const intact = await verify();
    expect(intact.out).toBe(
      `The audit log is intact: ${ENTRIES} entries.\nThere are no anchors in the media store yet.\nStore this elsewhere: ${known.join(' ')}\n`,
    );
    await fill(3);
    expect((await verify(known)).out).toContain(`${ENTRIES + 3} entries`);
    await cut(4);
    const found = await verify(known);
    expect([found.code, found.err]).toEqual([
      1,
      `The audit log is not intact: entry ${ENTRIES} is missing, with all up to ${ENTRIES}.\n`,
    ]);
  });

  test('append-only: no statement changes the log or its head', async () => {
    for (const statement of [
      `update audit set actor = 'x'`,
      'delete from audit',
      'truncate audit',
      'update audit_head set count = 1',
      'update audit_head set count = count + 1',
      'delete from audit_head',
      'truncate audit_head',
      `insert into audit_head (only_row, count, hash) values (false, 1, '')`,
    ]) {
      await expect(server.asOwner(statement), statement).rejects.toThrow(/insert-only|check constraint/);
    }
    // The number, time and hash in an insert are ignored.
    await server.asOwner(`insert into audit (id, at, actor, action, target, prev, hash)
      values (7, '2001-01-01', 'cli', 'retention.run', 'x', '', '')`);
    const { rows } = await run(
      `select id, at > now() - interval '1 hour' as now from audit order by id desc limit 1`,
    );
    expect(rows).toEqual([{ id: String(ENTRIES + 1), now: true }]);
    await whole(kept);
  });
});

test('parallel hand-overs, closes, notes and sign-outs leave no gap and do not deadlock', async () => {
  const before = await whole();
  const people: Person[] = [];
  for (const alias of ['par-a', 'par-b']) {
    for (let number = 0; number < 3; number++) people.push(await createStaff(server, alias));
  }
  const admins = [await createAdministrator(server), await createAdministrator(server)];
  const chats = await Promise.all(Array.from({ length: 6 }, () => createChat(server, 'par-a')));
  const rounds = Array.from({ length: 4 }, (_, round) => round);
  const work = rounds.flatMap((round) =>
    chats.flatMap(({ conversationId }, which) => {
      const path = `/conversations/${conversationId}`;
      const admin = admins[which % admins.length] as Person;
      return [
        () =>
          admin.call('POST', `${path}/transfer`, { alias: round % 2 === 0 ? 'par-b' : 'par-a', note: '' }),
        () => admin.call('PUT', `${path}/status`, { status: round % 2 === 0 ? 'closed' : 'open' }),
        () => admin.call('POST', `${path}/notes`, { id: crypto.randomUUID(), text: 'x' }),
      ];
    }),
  );
  const ends = people.map((person) => () => person.call('POST', '/auth/staff/sign-out'));
  // All wait for the head of the log: with more at once, a close would wait too long for a connection.
  const replies = await inParallel(server, [...work, ...ends], RESERVED.connections);
  // A refusal by the rules (it is already at that desk) is fine; `unavailable` would be a deadlock.
  expect(replies.filter(({ status }) => status >= 500).map(({ body }) => body)).toEqual([]);
  const after = await whole(before);
  expect(after.count).toBeGreaterThan(before.count + 20);
  const { rows } = await run('select count(*)::int, max(id)::int from audit');
  expect(rows[0].count).toBe(rows[0].max);
});

describe('administrators read the log', () => {
  let admin: Person;
  let handler: Person;
  let conversationId: string;
  beforeAll(async () => {
    admin = await createAdministrator(server);
    handler = await createStaff(server, 'log-desk');
    ({ conversationId } = await createChat(server, 'log-desk'));
    await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
    await handler.call('POST', `/conversations/${conversationId}/notes`, {
      id: crypto.randomUUID(),
      text: 'between us',
    });
  });
  const read = async (query = '') => (await admin.call('GET', `/manage/audit${query}`)).body;

  test('newest first, with names for ids and without message texts', async () => {
    const { entries, head } = await read();
    expect(entries).toHaveLength(50);
    expect(entries[0]).toMatchObject({
      id: head.count,
      action: 'note.add',
      actor: { kind: 'staff', name: 'Handler' },
      target: { kind: 'conversation', id: conversationId, name: expect.stringMatching(/^V-/) },
    });
    expect(entries[1]).toMatchObject({ action: 'conversation.close' });
    expect(JSON.stringify(entries)).not.toContain('between us');
    const made = entries.find((entry: { action: string }) => entry.action === 'admin.create');
    expect(made).toMatchObject({
      actor: { kind: 'unknown', name: 'test' },
      target: { kind: 'person', name: 'Admin' },
    });
    const times = entries.map((entry: { at: number }) => entry.at);
    expect(times).toEqual(times.toSorted((one: number, two: number) => two - one));
    expect(await whole({ count: head.count, hash: head.hash })).toEqual(head);
  });

  test('by actor, action and text, in pages without gaps or repeats', async () => {
    const [{ actor }] = (await read('?action=note.add')).entries;
    const byHandler = (await read(`?actor=${actor.id}`)).entries;
    expect(new Set(byHandler.map((entry: { action: string }) => entry.action))).toEqual(
      new Set(['note.add', 'conversation.close', 'staff.signIn']),
    );
    const aboutIt = (await read(`?q=${conversationId.slice(0, 13)}`)).entries;
    expect(aboutIt.map((entry: { action: string }) => entry.action)).toEqual([
      'note.add',
      'conversation.close',
    ]);
    expect((await read('?q=par-b')).entries.length).toBeGreaterThan(0);
    expect((await read('?q=%25')).entries).toEqual([]);
    const ids: number[] = [];
    for (let before = ''; ; ) {
      const page = await read(`?action=conversation.transfer&limit=7${before}`);
      ids.push(...page.entries.map((entry: { id: number }) => entry.id));
      if (page.next === null) break;
      before = `&before=${page.next}`;
    }
    const { rows } = await run(
      `select id::int from audit where action = 'conversation.transfer' order by id desc`,
    );
    expect(ids).toEqual(rows.map((row) => row.id));
    const { actors, actions } = (await admin.call('GET', '/manage/audit/choices')).body;
    expect(actors).toContainEqual({ kind: 'commandLine', id: 'cli', name: 'cli' });
    expect(actions).toEqual(expect.arrayContaining(['note.add', 'staff.signOut']));
  });

  test('open pages are notified of new entries', async () => {
    const socket = await admin.live();
    socket.send({ type: 'watchManagement' });
    await handler.call('PUT', '/handlers/me/availability', { away: true });
    await socket.next('managementChanged', ({ topics }) => topics.includes('audit'));
    socket.close();
  });
});

describe('[PRIV-05] the end of the audit log is copied to the log and to the media store', () => {
  let logged: [LogFields, string][];
  beforeEach(async () => {
    logged = [];
    await tamper('truncate audit', `update audit_head set count = 0, hash = decode(repeat('00', 32), 'hex')`);
    await server.app.media.removeAll(`anchors/${await readInstallationId(server.app.db)}`);
  });

  function anchor(media: MediaStore = server.app.media): Promise<boolean> {
    const info = (fields: LogFields, event: string) => void logged.push([fields, event]);
    const log = { info, warn: info, error: info };
    return writeAnchor({ db: server.app.db, media, secret: SECRET, clock: systemClock, log });
  }

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
    expect((await verify([], env)).err).toContain('entry 3 is missing');
    await media.removeAll(`anchors/${await readInstallationId(server.app.db)}`);
  });

  test('signed with SECRET: another signature is reported and ignored, the previous SECRET is accepted', async () => {
    await fill(3);
    await anchor();
    const another = { SECRET: 'n'.repeat(32) };
    const changed = await verify([], another);
    expect([changed.code, changed.err]).toEqual([
      0,
      'Warning: ignored 1 anchor that SECRET and SECRET_PREVIOUS did not sign.\n',
    ]);
    const rotated = await verify([], { ...another, SECRET_PREVIOUS: SECRET });
    expect([rotated.err, rotated.out]).toEqual(['', expect.stringContaining('1 anchor in')]);
    const path = `anchors/${await readInstallationId(server.app.db)}/000000000000003`;
    const stored = JSON.parse(Buffer.from((await server.app.media.get(path, 1_000)) ?? []).toString());
    const forged = Buffer.from(JSON.stringify({ ...stored, count: 2 }));
    await server.app.media.put(path, forged, 'application/json');
    expect((await verify()).err).toContain('ignored 1 anchor');
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
