import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { killPostgres, postgresUrl, startPostgres, stopPostgres } from '../../../tools/engines/postgres.ts';
import { postgresUser } from '../../../tools/engines/postgres-binaries.ts';
import { findProgram } from '../../../tools/engines/program.ts';
import { natsServer } from '../../../tools/engines/versions.ts';
import { freePort } from '../../../tools/freePorts.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { appendConnection } from '../../src/messages/appendCall.store.ts';
import { UnknownOutcome } from '../../src/messages/appender.store.ts';
import { openDatabase } from '../../src/platform/db/database.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { one, run } from '../../src/platform/db/query.ts';
import { inTransaction, withClient } from '../../src/platform/db/withClient.ts';
import { readinessCheck } from '../../src/private/readiness.ts';
import { makeCertificate } from '../push/certificate.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { doctorOf, s3Environment, settee } from '../support/operatorWorld.ts';
import { type OwnPostgres, startOwnPostgres } from '../support/ownPostgres.ts';
import { createChat, createStaff, type Person, sendOver, watchAs } from '../support/people.ts';
import { startProduct } from '../support/productProcess.ts';
import { soon } from '../support/soon.ts';
import { testS3 } from '../support/testMedia.ts';

const SECRET = 's'.repeat(32);
// Each test changes settings, or breaks what all databases of a server share.
let own: OwnPostgres;
let url: URL;
beforeAll(async () => {
  own = await startOwnPostgres();
  url = new URL(own.url);
});
afterAll(() => own.remove());

const ask = (...statements: string[]) =>
  withClient({ connectionString: url.href }, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/** Gives a file or folder to the user that PostgreSQL runs as. */
function give(path: string): void {
  const user = postgresUser();
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}

describe('a synchronous standby that is missing', () => {
  let server: TestServer;
  let handler: Person;
  let chat: Awaited<ReturnType<typeof createChat>>;
  beforeAll(async () => {
    await migrate({ databaseUrl: url.href });
    server = await startTestServer({ databaseUrl: url.href });
    handler = await createStaff(server, 'desk');
    chat = await createChat(server, 'desk');
  });
  afterAll(() => server.close());

  /** While `work` runs, every commit waits for a standby that does not exist, and an operator cancels every wait. */
  async function withoutStandby(work: () => Promise<void>): Promise<void> {
    const options = { connectionString: url.href, options: '-c synchronous_commit=local' };
    await withClient(options, async (operator) => {
      const setStandby = async (name: string): Promise<void> => {
        await operator.query(`alter system set synchronous_standby_names = '${name}'`);
        await operator.query('select pg_reload_conf()');
        await expect.poll(() => warnsOnCommit()).toBe(name !== '');
      };
      let over = false;
      const cancelling = (async () => {
        while (!over) {
          await operator.query(
            "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
          );
        }
      })();
      try {
        await setStandby('nobody');
        await work();
      } finally {
        await setStandby('');
        over = true;
        await cancelling;
      }
    });
  }

  function warnsOnCommit(): Promise<boolean> {
    return withClient({ connectionString: url.href }, async (client) => {
      let warned = false;
      client.on('notice', () => {
        warned = true;
      });
      await write(client);
      return warned;
    });
  }

  const write = (client: pg.Client) => client.query("select pg_logical_emit_message(true, 'test', '')");

  test('[MSG-04] a message gets no ack, and an action or a command no success, until it is confirmed', async () => {
    const path = `/conversations/${chat.conversationId}`;
    const actions = {
      transaction: () => handler.call('POST', `${path}/notes`, { id: randomUUID(), text: 'is it stored?' }),
      'single statement': () => handler.call('PUT', `${path}/unread`, { unread: true }),
    };
    const command = () =>
      withClient({ connectionString: url.href }, (client) => inTransaction(client, () => write(client)));
    const draft = {
      conversationId: chat.conversationId,
      id: randomUUID(),
      text: 'was it stored?',
      fromOwner: false,
      authorId: chat.visitor.browser.visitorId,
      alias: null,
      after: null,
      mediaId: null,
    };
    const { appender } = server.app;
    await withoutStandby(async () => {
      for (const [name, act] of Object.entries(actions)) expect((await act()).body.success, name).toBe(false);
      await expect(command()).rejects.toThrow('synchronous replication');
      await expect(appender.append(draft)).rejects.toThrow(UnknownOutcome);
    });
    for (const [name, act] of Object.entries(actions)) expect((await act()).body.success, name).toBe(true);
    await command();
    // The outcome was unknown until the repeat.
    expect(await appender.append(draft)).toMatchObject({ outcome: 'repeated', seq: 1 });
  });

  test('another warning does not make a statement fail', async () => {
    // After an update of its libraries, PostgreSQL warns about collations, once per connection.
    await server.asOwner("update pg_collation set collversion = '1' where collname = 'und-x-icu'");
    const db = openDatabase(url.href, 1);
    const warnings: (string | undefined)[] = [];
    db.pool.on('connect', (client) => client.on('notice', ({ code }) => warnings.push(code)));
    await run(db)`select 'a' < 'b' collate "und-x-icu"`;
    expect(warnings).toEqual(['01000']);
    await db.close();
  });
});

/** Sets it for the whole server, and waits until a new connection sees it. */
async function setForServer(name: string, value: string): Promise<void> {
  await ask(`alter system set ${name} = '${value}'`, 'select pg_reload_conf()');
  const db = new pg.Client(url.href);
  await db.connect();
  await expect.poll(async () => (await db.query(`show ${name}`)).rows[0][name]).toBe(value);
  await db.end();
}

test('[MSG-04] a message and an action are kept through a crash of PostgreSQL, although the server does not wait for its disk', async () => {
  await migrate({ databaseUrl: url.href });
  await setForServer('wal_writer_delay', '10s');
  await setForServer('synchronous_commit', 'off');
  const server = await startTestServer({ databaseUrl: url.href });
  const { visitor, conversationId } = await createChat(server, 'mara-east');
  const handler = await createStaff(server, 'mara-east');
  const { socket } = await watchAs(visitor, conversationId);
  await ask('checkpoint');
  const note = randomUUID();
  const path = `/conversations/${conversationId}/notes`;
  expect((await handler.call('POST', path, { id: note, text: 'Is it stored?' })).status).toBe(200);
  await killPostgres(own.instance);
  await startPostgres(own.instance);
  await withClient({ connectionString: url.href }, async (client) => {
    expect((await client.query('select id from notes where id = $1', [note])).rows).toHaveLength(1);
  });
  socket.close();
  const again = await watchAs(visitor, conversationId);
  await sendOver(again.socket, conversationId, 'Is it stored?');
  await killPostgres(own.instance);
  await startPostgres(own.instance);
  await withClient({ connectionString: url.href }, async (client) => {
    const { rows } = await client.query('select seq from messages where conversation_id = $1', [
      conversationId,
    ]);
    expect(rows).toEqual([{ seq: 1 }]);
  });
  await server.close();
  await setForServer('synchronous_commit', 'on');
  await setForServer('wal_writer_delay', '200ms');
});

test('a gateway refuses a PostgreSQL that can lose what it confirmed, unless a setting allows it', async () => {
  await migrate({ databaseUrl: url.href });
  for (const name of ['fsync', 'full_page_writes']) await setForServer(name, 'off');
  const env = { DATABASE_URL: url.href };
  const refused = await startProduct('gateway', { ...env, ALLOW_UNSAFE_DATABASE: '' });
  expect(await refused.ended).toEqual([1, null]);
  const problem = expect.stringMatching(/has fsync and full_page_writes off: .*ALLOW_UNSAFE_DATABASE=true/);
  expect(refused.linesOf('cannot start')).toMatchObject([{ problem }]);
  const allowed = await startProduct('gateway', { ...env, ALLOW_UNSAFE_DATABASE: 'true' });
  await allowed.waitFor('listening');
  // Without NATS, there is no bus to report.
  expect((await allowed.ask('/readyz')).body).not.toContain('bus');
  await allowed.stop();
  for (const name of ['fsync', 'full_page_writes']) await setForServer(name, 'on');
});

// Only root can mount a separate file system.
test.skipIf(process.getuid?.() !== 0)(
  '[OPS-17] a full disk of PostgreSQL: not ready after the first failed message, named by doctor, ready again once there is room',
  async () => {
    const disk = mkdtempSync(join(tmpdir(), 'settee-small-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk]);
    give(disk);
    chmodSync(disk, 0o700);
    await ask(`create tablespace small location '${disk}'`, 'create database small tablespace small');
    const small = new URL(url);
    small.pathname = '/small';
    await migrate({ databaseUrl: small.href });
    const server = await startTestServer({ databaseUrl: small.href });
    const ready = readinessCheck(server.app.db, () => ({
      starting: false,
      stopping: false,
      ...server.state(),
      // A lease that could not be renewed either is another reason.
      holdsLease: true,
    }));
    const expectReadiness = (expected: object) =>
      vi.waitFor(async () => expect(await ready()).toMatchObject(expected), soon);
    try {
      const { visitor, conversationId } = await createChat(server, 'mara-east');
      const { socket } = await watchAs(visitor, conversationId);
      await sendOver(socket, conversationId, 'There is room.');
      await expectReadiness({ ready: true, reasons: [] });

      fillDisk(join(disk, 'filler'));
      // Existing pages have room for some more messages.
      for (let sent = 0; sent < 50 && server.state().doubt === undefined; sent++) {
        const id = randomUUID();
        // Random text cannot be compressed.
        const text = randomBytes(1_990).toString('hex');
        socket.send({ type: 'send', conversationId, id, text });
        const isAnswered = () => socket.received.some((frame) => 'id' in frame && frame.id === id);
        await socket.until(isAnswered, 'no answer to a message');
      }
      await expectReadiness({ ready: false, reasons: ['writes'] });
      const found = await doctorOf({ DATABASE_URL: small.href, SECRET }, { offline: true });
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
      await ask('drop database small with (force)', 'drop tablespace small');
      execFileSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    }
  },
);

function fillDisk(path: string): void {
  const filler = openSync(path, 'w');
  try {
    for (;;) writeSync(filler, Buffer.alloc(1_024 * 1_024));
  } catch (error) {
    expect((error as { code?: string }).code).toBe('ENOSPC');
  } finally {
    closeSync(filler);
  }
}

describe('[PRIV-09] TLS with an own certificate authority', () => {
  const SUBJECTS = ['database', 'NATS', 'S3'];
  const right = makeCertificate();
  const wrong = makeCertificate();
  const folder = mkdtempSync(join(tmpdir(), 'settee-tls-'));
  let nats: ChildProcess;
  let env: Record<string, string>;
  // Ends TLS in front of the real S3 server.
  const target = new URL(testS3().endpoint);
  const s3 = createServer({ key: right.key, cert: right.cert }, (incoming, answer) => {
    const { method, url: path, headers } = incoming;
    const asked = request({ host: target.hostname, port: target.port, method, path, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    asked.on('error', () => answer.destroy());
    incoming.pipe(asked);
  });
  beforeAll(async () => {
    for (const [name, text] of Object.entries({ 'server.crt': right.cert, 'server.key': right.key })) {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      give(join(folder, name));
    }
    give(folder);
    await ask(
      'alter system set ssl = on',
      `alter system set ssl_cert_file = '${folder}/server.crt'`,
      `alter system set ssl_key_file = '${folder}/server.key'`,
      'select pg_reload_conf()',
    );
    const natsPort = await freePort();
    const config = `listen: "127.0.0.1:${natsPort}"
authorization { user: settee, password: secret }
tls { cert_file: "${folder}/server.crt", key_file: "${folder}/server.key", handshake_first: true }
`;
    writeFileSync(join(folder, 'nats.conf'), config);
    nats = spawn((await findProgram(natsServer)) ?? '', ['-c', join(folder, 'nats.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // Read to the end: a server that cannot write its log would die.
    await new Promise<void>((isReady, reject) => {
      nats.stderr?.on('data', (lines) => String(lines).includes('Server is ready') && isReady());
      nats.once('exit', () => reject(new Error('NATS did not start')));
    });
    await once(s3.listen(0, '127.0.0.1'), 'listening');
    const { port } = s3.address() as AddressInfo;
    env = {
      SECRET,
      DATABASE_URL: `${url.href}?sslmode=verify-full`,
      NATS_URL: `tls://settee:secret@127.0.0.1:${natsPort}`,
      ...s3Environment({ ...testS3(), endpoint: `https://127.0.0.1:${port}` }),
      REQUIRE_TLS: 'true',
      NODE_EXTRA_CA_CERTS: right.certPath,
    };
  });
  afterAll(async () => {
    s3.closeAllConnections();
    s3.close();
    nats.kill();
    await ask('alter system reset all', 'select pg_reload_conf()');
    rmSync(folder, { recursive: true });
    for (const each of [right, wrong]) each.remove();
  });

  /** What doctor reports about the connections, in a process that reads NODE_EXTRA_CA_CERTS. */
  async function connections(changes: Record<string, string>): Promise<(string | undefined)[]> {
    const { out } = await settee(['doctor', '--offline', '--json'], { ...env, ...changes });
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    return SUBJECTS.map((subject) => findings.find(({ check }) => check === subject)?.level);
  }

  test('all three are reached', async () => {
    expect(await connections({})).toEqual(['ok', 'ok', 'ok']);
  });

  test('a certificate of another authority is refused by all three', async () => {
    expect(await connections({ NODE_EXTRA_CA_CERTS: wrong.certPath })).toEqual(Array(3).fill('failure'));
  });

  test('a server without TLS is refused, and gets no password', async () => {
    await ask('alter system set ssl = off', 'select pg_reload_conf()');
    const plain = (inject('engines').NATS_URL ?? '').replace('nats:', 'tls:');
    expect((await connections({ NATS_URL: plain })).slice(0, 2)).toEqual(['failure', 'failure']);
  });
});

/** Restarts PostgreSQL, as Patroni does with an old primary. */
async function restart(role: 'primary' | 'standby'): Promise<string> {
  await stopPostgres(own.instance);
  const mark = join(own.folder, 'data/standby.signal');
  if (role === 'standby') writeFileSync(mark, '');
  else rmSync(mark);
  return postgresUrl(await startPostgres(own.instance));
}

async function isStandby(at: string): Promise<boolean> {
  const db = openDatabase(at, 1);
  try {
    return (await one<{ standby: boolean }>(db)`select pg_is_in_recovery() as standby`).standby;
  } finally {
    await db.close();
  }
}

test('[MSG-04] a gateway connects to a primary, and refuses a standby, which doctor explains', async () => {
  const standby = await restart('standby');
  const refusal = 'this PostgreSQL is a standby';
  await expect(isStandby(standby)).rejects.toThrow(refusal);
  await expect(appendConnection(standby).connect()).rejects.toThrow(refusal);
  const found = await doctorOf({ DATABASE_URL: standby, SECRET }, { offline: true });
  expect(found.filter(({ check }) => check === 'database')).toEqual([
    {
      check: 'database',
      level: 'failure',
      says: expect.stringMatching(/^127\.0\.0\.1:\d+ is a standby$/),
      remedy: expect.stringContaining('Set DATABASE_URL to the primary'),
    },
  ]);
  const primary = await restart('primary');
  expect(await isStandby(primary)).toBe(false);
  const append = appendConnection(primary);
  await append.connect();
  await append.end();
});
