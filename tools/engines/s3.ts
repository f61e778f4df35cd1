// S3 from SeaweedFS: one process with all its parts, and one key that may do everything.

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { endProcess, isAlive, lastLines, signal, startDetached } from './process.ts';
import { findProgram } from './program.ts';
import {
  claimRecord,
  comesUp,
  type EngineRecord,
  instanceFolder,
  newSecret,
  readRecord,
  writePrivately,
  writeRecord,
} from './state.ts';
import { seaweed } from './versions.ts';

export const bucket = 'settee-media';
export const region = 'us-east-1';

export function s3Url(record: EngineRecord): string {
  return `http://127.0.0.1:${record.port}`;
}

// A signed look at our bucket: it answers only when the whole chain behind it is up.
export async function s3Answers(record: EngineRecord): Promise<boolean> {
  return (await askForBucket(record, 'HEAD')) === 200;
}

async function askForBucket(record: EngineRecord, method: 'HEAD' | 'PUT'): Promise<number | undefined> {
  const client = new AwsClient({
    accessKeyId: record.user,
    secretAccessKey: record.password,
    service: 's3',
    region,
    retries: 0,
  });
  try {
    const signed = await client.sign(`${s3Url(record)}/${bucket}`, { method });
    const response = await fetch(signed, { signal: AbortSignal.timeout(3000) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

export async function startS3(instance: string): Promise<EngineRecord | undefined> {
  const running = readRecord(instance, 's3');
  if (isAlive(running?.process) && running !== undefined) {
    signal(running.process.pid, 'SIGCONT');
    if (await comesUp(running, s3Answers, 10)) return running;
    await endProcess(running.process, 'SIGTERM', 10);
  }
  const program = await findProgram(seaweed);
  if (program === undefined) return undefined;

  const record = await claimRecord(instance, 's3', 7);
  const folder = join(instanceFolder(instance), 's3');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const config = join(folder, 's3.json');
  writePrivately(
    config,
    JSON.stringify({
      identities: [
        {
          name: record.user,
          credentials: [{ accessKey: record.user, secretKey: record.password }],
          actions: ['Admin', 'Read', 'Write', 'List', 'Tagging'],
        },
      ],
    }),
  );
  writePrivately(join(folder, 'security.toml'), securityConfig());
  const log = join(instanceFolder(instance), 's3.log');
  record.process = await startDetached(program, serverArguments(record, folder, config), {
    log,
    // SeaweedFS reads security.toml from its working directory.
    cwd: folder,
  });
  writeRecord(instance, 's3', record);
  if (!(await comesUp(record, bucketReady, 60))) {
    throw new Error(`SeaweedFS did not start. The end of ${log}:\n${lastLines(log)}`);
  }
  return record;
}

async function bucketReady(record: EngineRecord): Promise<boolean> {
  return (await s3Answers(record)) || (await askForBucket(record, 'PUT')) === 200;
}

// The parts behind the S3 API have HTTP ports of their own. With keys of their own that nobody else
// knows they serve only each other, so that the S3 credentials are the only way to an object over HTTP.
function securityConfig(): string {
  const tables = ['jwt.signing', 'jwt.signing.read', 'jwt.filer_signing', 'jwt.filer_signing.read'];
  return tables.map((table) => `[${table}]\nkey = "${newSecret()}"\n`).join('\n');
}

function serverArguments(record: EngineRecord, folder: string, config: string): string[] {
  const [master, masterGrpc, volume, volumeGrpc, filer, filerGrpc, s3Grpc] = record.extraPorts ?? [];
  return [
    '-alsologtostderr=false',
    '-logtostderr=true',
    'server',
    `-dir=${folder}`,
    '-ip=127.0.0.1',
    '-ip.bind=127.0.0.1',
    `-master.port=${master}`,
    `-master.port.grpc=${masterGrpc}`,
    // Small volumes that are not reserved in advance: a test instance stays small on disk.
    '-master.volumeSizeLimitMB=256',
    '-volume.max=100',
    `-volume.port=${volume}`,
    `-volume.port.grpc=${volumeGrpc}`,
    '-filer',
    `-filer.port=${filer}`,
    `-filer.port.grpc=${filerGrpc}`,
    '-s3',
    `-s3.port=${record.port}`,
    `-s3.port.grpc=${s3Grpc}`,
    `-s3.config=${config}`,
    '-s3.iam=false',
    '-s3.port.iceberg=0',
    // There is one of everything: no vote and no handover to wait for.
    '-master.electionTimeout=1s',
    '-volume.preStopSeconds=0',
  ];
}

export async function stopS3(instance: string): Promise<void> {
  const record = readRecord(instance, 's3');
  // Left alone it waits ten seconds for its own idle connections. It keeps no object in memory only.
  if (isAlive(record?.process)) await endProcess(record.process, 'SIGTERM', 3);
  removeSockets(record);
}

// SeaweedFS leaves a socket in /tmp for each of its ports.
function removeSockets(record: EngineRecord | undefined): void {
  if (record === undefined || isAlive(record.process)) return;
  const ports = new Set([record.port, ...(record.extraPorts ?? [])].map(String));
  for (const name of readdirSync('/tmp')) {
    const port = /^seaweedfs-[a-z0-9-]+-(\d+)\.sock$/.exec(name)?.[1];
    if (port !== undefined && ports.has(port)) rmSync(join('/tmp', name), { force: true });
  }
}
