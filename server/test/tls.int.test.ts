import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { killPostgres, postgresUrl, startPostgres } from '../../tools/engines/postgres.ts';
import { postgresUser } from '../../tools/engines/postgres-binaries.ts';
import { findProgram } from '../../tools/engines/program.ts';
import { instanceFolder } from '../../tools/engines/state.ts';
import { natsServer } from '../../tools/engines/versions.ts';
import { freePort } from '../../tools/freePorts.ts';
import type { Finding } from '../src/doctor/finding.ts';
import { s3Environment, settee } from './backupWorld.ts';
import { makeCertificate } from './pushService/certificate.ts';
import { testS3 } from './testMedia.ts';

const INSTANCE = 'tls';
const SUBJECTS = ['database', 'NATS', 'S3'];

const right = makeCertificate();
const wrong = makeCertificate();
const folder = mkdtempSync(join(tmpdir(), 'settee-tls-'));
let home: string;
let nats: ChildProcess;
let s3: Server;
let plain: { postgres: URL; nats: string };
let env: Record<string, string>;
beforeAll(async () => {
  const user = postgresUser();
  for (const [name, text] of Object.entries({ 'server.crt': right.cert, 'server.key': right.key })) {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    if (user !== undefined) chownSync(join(folder, name), user.uid, user.gid);
  }
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const record = await startPostgres(INSTANCE);
  home = record.folder ?? '';
  const postgres = new URL(postgresUrl(record));
  await query(postgres.href, [
    'alter system set ssl = on',
    `alter system set ssl_cert_file = '${folder}/server.crt'`,
    `alter system set ssl_key_file = '${folder}/server.key'`,
    'select pg_reload_conf()',
  ]);
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
  // Ends TLS in front of the real S3 server.
  const target = new URL(testS3().endpoint);
  s3 = createServer({ key: right.key, cert: right.cert }, (incoming, answer) => {
    const { method, url, headers } = incoming;
    const asked = request(
      { host: target.hostname, port: target.port, method, path: url, headers },
      (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(answer);
      },
    );
    asked.on('error', () => answer.destroy());
    incoming.pipe(asked);
  });
  await once(s3.listen(0, '127.0.0.1'), 'listening');
  plain = { postgres, nats: inject('engines').NATS_URL ?? '' };
  env = {
    SECRET: 's'.repeat(32),
    DATABASE_URL: `${postgres.href}?sslmode=verify-full`,
    NATS_URL: `tls://settee:secret@127.0.0.1:${natsPort}`,
    ...s3Environment({ ...testS3(), endpoint: `https://127.0.0.1:${(s3.address() as AddressInfo).port}` }),
    REQUIRE_TLS: 'true',
    NODE_EXTRA_CA_CERTS: right.certPath,
  };
});
afterAll(async () => {
  s3.closeAllConnections();
  s3.close();
  nats.kill();
  await killPostgres(INSTANCE);
  for (const path of [home, instanceFolder(INSTANCE), folder]) rmSync(path, { recursive: true, force: true });
  for (const each of [right, wrong]) each.remove();
});

async function query(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** What doctor reports about the connections, in a process that reads NODE_EXTRA_CA_CERTS. */
async function connections(changes: Record<string, string>): Promise<Record<string, string>> {
  const { out } = await settee(['doctor', '--offline', '--json'], { ...env, ...changes });
  const { findings } = JSON.parse(out) as { findings: Finding[] };
  const first = (subject: string) => findings.find(({ check }) => check === subject);
  return Object.fromEntries(
    SUBJECTS.map((subject) => [subject, `${first(subject)?.level}: ${first(subject)?.says}`]),
  );
}

test('[PRIV-09] PostgreSQL, NATS and S3 are reached over TLS, with an own certificate authority', async () => {
  const found = await connections({});
  for (const subject of SUBJECTS) expect(found[subject], subject).toMatch(/^ok: /);
});

test('[PRIV-09] a certificate of another authority is refused by all three', async () => {
  const found = await connections({ NODE_EXTRA_CA_CERTS: wrong.certPath });
  for (const subject of SUBJECTS) expect(found[subject], subject).toMatch(/^failure: /);
});

test('[PRIV-09] a server without TLS is refused, and gets no password', async () => {
  await query(plain.postgres.href, ['alter system set ssl = off', 'select pg_reload_conf()']);
  const found = await connections({ NATS_URL: plain.nats.replace('nats:', 'tls:') });
  expect(found.database).toMatch(/^failure: /);
  expect(found.NATS).toMatch(/^failure: /);
  await query(plain.postgres.href, ['alter system set ssl = on', 'select pg_reload_conf()']);
});
