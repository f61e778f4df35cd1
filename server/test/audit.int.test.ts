import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fullSize } from '../../tools/fullSize.ts';
import { type RecordedHead, verifyAudit } from '../src/actions/audit/verifyAudit.ts';
import { insertAudit } from '../src/db/audit/audit.ts';
import { readAuditHead, readAuditLog } from '../src/db/audit/auditLog.ts';
import { RESERVED } from '../src/db/engine/database.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { inParallel } from './inParallel.ts';
import { createAdministrator, createChat, createStaff, type Person } from './people.ts';

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url));
const MANY = fullSize(10_000, 100_000);
const ENTRIES = 40;
const MIDDLE = 20;

let server: TestServer;
let mediaRoot: string;
beforeAll(async () => {
  mediaRoot = await mkdtemp(join(tmpdir(), 'settee-audit-'));
  server = await startTestServer();
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

function settee(...args: string[]) {
  const env = {
    DATABASE_URL: server.databaseUrl,
    SECRET: server.app.config.secret,
    MEDIA_ROOT: mediaRoot,
  };
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [CLI, 'audit', 'verify', ...args], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

describe('[AUDIT-01] [AUDIT-02] an audit log that was changed', () => {
  let kept: RecordedHead;
  beforeEach(async () => {
    await tamper('truncate audit', `update audit_head set count = 0, hash = decode(repeat('00', 32), 'hex')`);
    kept = await fill(ENTRIES);
  });

  const columns: Record<string, string> = {
    id: `id = 4711`,
    at: `at = at + interval '1 microsecond'`,
    actor: `actor = 'clj'`,
    action: `action = 'test.dond'`,
    target: `target = replace(target, 'ünïcødé', 'ünïcøde')`,
    details: `details = jsonb_set(details, '{role,before}', '"a:c"')`,
    prev: 'prev = set_byte(prev, 31, get_byte(prev, 31) # 1)',
    hash: 'hash = set_byte(hash, 0, get_byte(hash, 0) # 1)',
  };
  for (const [column, change] of Object.entries(columns)) {
    test(`one byte of ${column}`, async () => {
      await tamper(`update audit set ${change} where id = ${MIDDLE}`);
      expect(await verifyAudit(server.app)).toMatchObject({ whole: false, id: MIDDLE });
    });
  }

  test('text moved from one column to the next', async () => {
    await tamper(`update audit set actor = 'cl', action = 'i' || action where id = ${MIDDLE}`);
    expect(await verifyAudit(server.app)).toEqual({ whole: false, id: MIDDLE, problem: 'was changed' });
  });

  test('an entry removed, also with all later ones renumbered', async () => {
    await tamper(`delete from audit where id = ${MIDDLE}`);
    expect(await verifyAudit(server.app)).toEqual({ whole: false, id: MIDDLE, problem: 'is missing' });
    for (let id = MIDDLE + 1; id <= ENTRIES; id++)
      await tamper(`update audit set id = ${id - 1} where id = ${id}`);
    expect(await verifyAudit(server.app)).toMatchObject({ whole: false, id: MIDDLE });
  });

  test('an entry inserted before the first or after the head', async () => {
    await tamper(
      'insert into audit select 0, at, actor, action, target, details, prev, hash from audit where id = 1',
    );
    expect(await verifyAudit(server.app)).toMatchObject({ whole: false, id: 0 });
    await tamper('delete from audit where id = 0');
    await whole(kept);
    await tamper(`insert into audit
      select 41, at, actor, action, target, details, hash, audit_hash(hash, 41, at, actor, action, target, details)
      from audit where id = 40`);
    expect(await verifyAudit(server.app)).toMatchObject({ whole: false, id: 41 });
  });

  test('two entries swapped', async () => {
    await tamper(
      `update audit set id = 1000 where id = ${MIDDLE}`,
      `update audit set id = ${MIDDLE} where id = ${MIDDLE + 1}`,
      `update audit set id = ${MIDDLE + 1} where id = 1000`,
    );
    expect(await verifyAudit(server.app)).toMatchObject({ whole: false, id: MIDDLE });
  });

  test('an entry rewritten with a new hash', async () => {
    await tamper(`update audit set actor = 'system',
      hash = audit_hash(prev, id, at, 'system', action, target, details) where id = ${MIDDLE}`);
    const verified = await verifyAudit(server.app);
    expect(verified).toMatchObject({ whole: false, id: MIDDLE + 1 });
    expect(verified).toMatchObject({ problem: expect.stringContaining(`${MIDDLE}, was rewritten`) });
  });

  test('truncated: found with the head, or with a forged head by the copy kept elsewhere', async () => {
    await tamper(`delete from audit where id > ${ENTRIES - 3}`);
    const cut = await settee();
    expect([cut.code, cut.err]).toEqual([
      1,
      'The audit log is not intact: entry 38 is missing, with all up to 40.\n',
    ]);
    await tamper(
      'update audit_head set (count, hash) = (select id, hash from audit order by id desc limit 1)',
    );
    expect((await settee()).out).toContain('intact: 37 entries');
    const known = await settee('--count', String(kept.count), '--head', kept.hash);
    expect([known.code, known.err]).toEqual([1, cut.err]);
  });

  test('rewritten from the middle on: found only with the copy kept elsewhere', async () => {
    await tamper(
      `update audit set actor = 'system' where id = ${MIDDLE}`,
      `do $$ declare last bytea := (select hash from audit where id = ${MIDDLE - 1}); begin
         for n in ${MIDDLE}..${ENTRIES} loop
           update audit a set prev = last, hash = audit_hash(last, a.id, a.at, a.actor, a.action, a.target, a.details)
           where a.id = n returning a.hash into last;
         end loop;
         update audit_head set hash = last;
       end $$`,
    );
    await whole();
    expect(await verifyAudit(server.app, [kept])).toMatchObject({ whole: false, id: ENTRIES });
  });

  test('unchanged: intact, and a continuation of the kept copy', async () => {
    const result = await settee();
    expect(result.out).toBe(
      `The audit log is intact: ${ENTRIES} entries.\nThere are no anchors in the media store yet.\nStore this elsewhere: --count ${ENTRIES} --head ${kept.hash}\n`,
    );
    await fill(3);
    expect((await settee('--count', String(ENTRIES), '--head', kept.hash)).out).toContain('43 entries');
    expect((await settee('--count', '7')).err).toContain('must be used together');
    expect((await settee('--count', '7', '--head', 'abc')).err).toContain('64 hexadecimal digits');
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

test(`[AUDIT-02] ${MANY} entries are verified in seconds`, async () => {
  const before = await whole();
  // Bypasses the trigger, which is tested above: 100,000 times would take almost a minute.
  for (let batch = 0; batch < MANY / 5_000; batch++) {
    await tamper(`do $$ declare number bigint; last bytea; begin
      select count, hash into number, last from audit_head;
      for n in 1..5000 loop
        number := number + 1;
        insert into audit (id, at, actor, action, target, details, prev, hash)
        values (number, now(), 'cli', 'retention.run', 'thing', '{}', last,
          audit_hash(last, number, now(), 'cli', 'retention.run', 'thing', '{}'))
        returning hash into last;
      end loop;
      update audit_head set count = number, hash = last;
    end $$`);
  }
  const start = performance.now();
  expect(await verifyAudit(server.app, [before])).toMatchObject({ whole: true, count: before.count + MANY });
  // 100,000 take 2 s on an idle machine.
  expect(performance.now() - start).toBeLessThan(15_000);
});

test('[AUDIT-01] parallel hand-overs, closes, notes and sign-outs leave no gap and do not deadlock', async () => {
  const before = await whole();
  const people: Person[] = [];
  for (const alias of ['par-a', 'par-b']) {
    for (let number = 0; number < 3; number++) people.push(await createStaff(server, alias));
  }
  const admins = [await createAdministrator(server), await createAdministrator(server)];
  const chats = await Promise.all(Array.from({ length: 6 }, () => createChat(server, 'par-a')));
  const rounds = Array.from({ length: 8 }, (_, round) => round);
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
  expect(after.count).toBeGreaterThan(before.count + 30);
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

  test('a search reads the log in steps, and finds what is far back', async () => {
    const { rows } = await run(
      `select id::int from audit where action = 'conversation.transfer' and details::text ilike '%par-b%' order by id desc`,
    );
    expect(rows.length).toBeGreaterThan(10);
    const { count } = await readAuditHead(server.app.db);
    const ids: number[] = [];
    let steps = 0;
    for (let before: number | null | undefined; before !== null; steps += 1) {
      const filter = { q: 'par-b', action: 'conversation.transfer', before };
      const page = await readAuditLog(server.app.db, filter, { limit: 7, atOnce: 20 });
      const all = page?.entries.map(({ id }) => id) ?? [];
      for (const id of all) expect(id).toBeGreaterThanOrEqual((before ?? count + 1) - 20);
      ids.push(...all);
      before = page?.next ?? null;
    }
    expect(ids).toEqual(rows.map((row) => row.id));
    expect(steps).toBeGreaterThanOrEqual(Math.floor(count / 20));
  });

  test('and nobody else can', async () => {
    for (const path of ['/manage/audit', '/manage/audit/choices']) {
      expect((await handler.call('GET', path)).status).toBe(403);
      expect((await server.request('GET', path)).status).toBe(401);
    }
    expect((await read('?limit=501')).code).toBe('bad_request');
  });

  test('open pages are notified of new entries', async () => {
    const socket = await admin.live();
    socket.send({ type: 'watchManagement' });
    await handler.call('PUT', '/handlers/me/availability', { away: true });
    await socket.next('managementChanged', ({ topics }) => topics.includes('audit'));

    // Reading writes no line.
    const { conversationId } = await createChat(server, 'log-desk');
    const { visitor: writer, conversationId: other } = await createChat(server, 'log-desk');
    await writer.call('POST', `/conversations/${other}/messages`, { id: randomUUID(), text: 'Hello' });
    // Longer than changes are collected. The answer to a ping comes after every earlier frame.
    await new Promise((done) => setTimeout(done, 1_500));
    socket.send({ type: 'ping' });
    await socket.next('pong');
    socket.received.length = 0;
    const desk = await handler.live();
    desk.send({ type: 'watch', conversationId: other });
    await desk.next('watched');
    desk.send({ type: 'seen', conversationId: other, seq: 1 });
    const change = await socket.next('managementChanged', ({ topics }) => topics.includes('conversations'));
    expect(change.topics).not.toContain('audit');
    await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
    await socket.next('managementChanged', ({ topics }) => topics.includes('audit'));
    desk.close();
    socket.close();
  });
});
