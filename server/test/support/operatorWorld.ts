import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AwsClient } from 'aws4fetch';
import { onTestFinished } from 'vitest';
import { compileCache } from '../../../tools/compileCache.ts';
import { examine } from '../../src/doctor/examine.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { openMail } from '../../src/mail/smtp.adapter.ts';
import { probeS3 } from '../../src/media/s3Probe.adapter.ts';
import { probeNats } from '../../src/platform/adapters/nats.ts';
import { systemClock } from '../../src/platform/adapters/system.ts';
import type { S3Config } from '../../src/platform/config/config.ts';
import { withClient } from '../../src/platform/db/withClient.ts';
import { createTestDatabase } from './database.ts';
import type { TestServer } from './harness.ts';
import { testS3 } from './testMedia.ts';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

/** Runs the command line as an operator does. */
export function settee(args: string[], env: Record<string, string>, input = '') {
  const options = { env: { ...compileCache, ...env }, maxBuffer: 10_000_000 };
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(process.execPath, [CLI, ...args], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
    child.stdin?.end(input);
  });
}

export function environmentOf(server: TestServer, s3: S3Config = testS3()): Record<string, string> {
  return {
    DATABASE_URL: server.databaseUrl,
    SECRET: server.app.config.secret,
    PUBLIC_URL: server.app.config.publicUrl,
    ...s3Environment(s3),
  };
}

export function s3Environment(s3: S3Config): Record<string, string> {
  return {
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    S3_BUCKET: s3.bucket,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  };
}

/** An empty database whose owner has no server-wide rights. */
export async function emptyDatabase(): Promise<{ url: string }> {
  const database = await createTestDatabase({ empty: true });
  const name = new URL(database.url).pathname.slice(1);
  await withClient({ connectionString: database.ownerUrl }, async (client) => {
    await client.query(`create role ${name} login password '${name}' nosuperuser`);
    await client.query(`alter database ${name} owner to ${name}`);
  });
  return { url: Object.assign(new URL(database.url), { username: name, password: name }).href };
}

/**
 * A new bucket that nothing else uses. It is removed after its test, or when `atEnd` runs what it gets: SeaweedFS has a
 * limited number of volumes for buckets.
 */
export async function newBucket(
  atEnd: (remove: () => Promise<void>) => unknown = onTestFinished,
): Promise<S3Config> {
  const s3 = { ...testS3(), bucket: `backup-${randomUUID()}` };
  const client = new AwsClient({ ...s3, service: 's3' });
  const ask = (method: string) => client.fetch(`${s3.endpoint}/${s3.bucket}`, { method });
  const made = await ask('PUT');
  if (!made.ok) throw new Error(`no bucket: ${made.status}`);
  atEnd(async () => {
    const { status } = await ask('DELETE');
    if (status !== 204) throw new Error(`the bucket stays: ${status}`);
  });
  return s3;
}

export async function newFolder(): Promise<{ path(name: string): string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'settee-backup-'));
  return {
    path: (name) => join(folder, name),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Runs the checks in this process: one process per case would take minutes. */
export function doctorOf(
  env: Record<string, string>,
  { offline = false, mailTo }: { offline?: boolean; mailTo?: string } = {},
): Promise<Finding[]> {
  const probes = {
    nats: probeNats,
    s3: (s3: Parameters<typeof probeS3>[0], origin: string) => probeS3(s3, origin, systemClock),
    mail: openMail,
  };
  return examine({ env, offline, mailTo, probes, clock: systemClock });
}

export type Front = { url: string; close(): Promise<void> };

/** A proxy, configured well or badly. */
export async function proxyTo(
  target: () => string,
  how: { from?: string; appends?: boolean; upgrades?: boolean } = {},
): Promise<Front> {
  const ask = (incoming: IncomingMessage) => {
    const given = incoming.headers['x-forwarded-for'];
    const seen = incoming.socket.remoteAddress ?? '';
    const forwarded =
      how.appends === false ? given : [given, seen].filter((each) => each !== undefined).join(', ');
    return request(target() + incoming.url, {
      method: incoming.method ?? 'GET',
      headers: { ...incoming.headers, ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
      ...(how.from !== undefined && { localAddress: how.from }),
      agent: false,
    });
  };
  const server = createServer((incoming, answer) => {
    const asked = ask(incoming).on('response', (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    asked.on('error', () => answer.destroy());
    incoming.pipe(asked);
  });
  if (how.upgrades !== false) {
    server.on('upgrade', (incoming, socket) => {
      const asked = ask(incoming).on('upgrade', (reply, other) => {
        const lines = Object.entries(reply.headers).map(([name, value]) => `${name}: ${String(value)}`);
        socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
        other.pipe(socket).pipe(other);
        for (const each of [socket, other]) each.on('error', () => {});
      });
      asked.on('error', () => socket.destroy());
      asked.end();
    });
  }
  return listening(server);
}

/** An S3 server that checks no signature and stores what it gets. */
export async function openS3(): Promise<Front> {
  const kept = new Map<string, Buffer>();
  const keysOf = (): string =>
    Array.from(kept.keys(), (key) => `<Key>${key.split('/').slice(2).join('/')}</Key>`).join('');
  return listening(
    createServer((incoming, answer) => {
      const path = new URL(incoming.url ?? '', 'http://s3').pathname;
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        if (incoming.method === 'PUT') kept.set(path, Buffer.concat(chunks));
        if (incoming.method === 'DELETE') kept.delete(path);
        const found = kept.get(path);
        if (['GET', 'HEAD'].includes(incoming.method ?? '') && path.split('/').length > 2)
          answer.writeHead(found === undefined ? 404 : 200).end(found);
        else answer.end(keysOf());
      });
    }),
  );
}

async function listening(server: Server): Promise<Front> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
