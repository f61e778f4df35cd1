import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AwsClient } from 'aws4fetch';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { S3Config } from '../src/config/config.ts';
import type { TestServer } from './harness.ts';
import { testS3 } from './testMedia.ts';

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url));

/** Runs the command line as an operator does. */
export function settee(args: string[], env: Record<string, string>) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [CLI, ...args], { env, maxBuffer: 10_000_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
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
export async function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `restored_${randomBytes(6).toString('hex')}`;
  const runStatements = async (...statements: string[]): Promise<void> => {
    const client = new pg.Client(inject('engines').DATABASE_URL);
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  await runStatements(
    `create role ${name} login password '${name}' nosuperuser`,
    `create database ${name} owner ${name}`,
  );
  const url = new URL(inject('engines').DATABASE_URL);
  url.username = name;
  url.password = name;
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => runStatements(`drop database if exists ${name} with (force)`, `drop role if exists ${name}`),
  };
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
