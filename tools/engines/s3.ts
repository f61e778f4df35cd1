// S3 from SeaweedFS: one process, and one key with all rights.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import { isAlive } from './process.ts';
import type { ProgramEngine } from './programEngine.ts';
import { type EngineRecord, newSecret, readRecord, writePrivately } from './state.ts';
import { seaweed } from './versions.ts';

export const bucket = 'settee-media';
export const region = 'us-east-1';

export function s3Url(record: EngineRecord): string {
  return `http://127.0.0.1:${record.port}`;
}

async function bucketStatus(record: EngineRecord, method: 'HEAD' | 'PUT'): Promise<number | undefined> {
  const { user: accessKeyId, password: secretAccessKey } = record;
  const client = new AwsClient({ accessKeyId, secretAccessKey, service: 's3', region, retries: 0 });
  try {
    const signed = await client.sign(`${s3Url(record)}/${bucket}`, { method });
    const response = await fetch(signed, { signal: AbortSignal.timeout(3000) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

// Succeeds only if all parts of SeaweedFS are up.
const s3Answers = async (record: EngineRecord) => (await bucketStatus(record, 'HEAD')) === 200;

export const s3: ProgramEngine = {
  name: 's3',
  program: seaweed,
  extraPorts: 7,
  // It would wait ten seconds for its own idle connections. It keeps no object only in memory.
  stopSeconds: 3,
  answers: s3Answers,
  ready: async (record) => (await s3Answers(record)) || (await bucketStatus(record, 'PUT')) === 200,
  configure(record, folder) {
    const config = join(folder, 's3.json');
    const credentials = [{ accessKey: record.user, secretKey: record.password }];
    const actions = ['Admin', 'Read', 'Write', 'List', 'Tagging'];
    writePrivately(config, JSON.stringify({ identities: [{ name: record.user, credentials, actions }] }));
    // The other parts have HTTP ports too. With secret keys they serve only each other, so that an object can be read
    // only with the S3 credentials. SeaweedFS reads this file from its working directory.
    const tables = ['jwt.signing', 'jwt.signing.read', 'jwt.filer_signing', 'jwt.filer_signing.read'];
    const security = tables.map((table) => `[${table}]\nkey = "${newSecret()}"\n`).join('\n');
    writePrivately(join(folder, 'security.toml'), security);
    return serverArguments(record, folder, config);
  },
};

function serverArguments(record: EngineRecord, folder: string, config: string): string[] {
  const [master, masterGrpc, volume, volumeGrpc, filer, filerGrpc, s3Grpc] = record.extraPorts ?? [];
  return [
    ...['-alsologtostderr=false', '-logtostderr=true', 'server'],
    ...[`-dir=${folder}`, '-ip=127.0.0.1', '-ip.bind=127.0.0.1'],
    ...[`-master.port=${master}`, `-master.port.grpc=${masterGrpc}`],
    // Small volumes that are not allocated in advance keep an instance small. Each bucket takes seven: many runs in one
    // instance, some of them killed, must not use them up.
    ...['-master.volumeSizeLimitMB=256', '-volume.max=1000'],
    ...[`-volume.port=${volume}`, `-volume.port.grpc=${volumeGrpc}`],
    ...['-filer', `-filer.port=${filer}`, `-filer.port.grpc=${filerGrpc}`],
    ...['-s3', `-s3.port=${record.port}`, `-s3.port.grpc=${s3Grpc}`, `-s3.config=${config}`],
    ...['-s3.iam=false', '-s3.port.iceberg=0'],
    // There is only one node, so no election to wait for.
    ...['-master.electionTimeout=1s', '-volume.preStopSeconds=0'],
  ];
}

/** SeaweedFS leaves a socket in /tmp for each of its ports. */
export function removeSockets(instance: string): void {
  const record = readRecord(instance, 's3');
  if (record === undefined || isAlive(record.process)) return;
  const ports = new Set([record.port, ...(record.extraPorts ?? [])].map(String));
  for (const name of readdirSync('/tmp')) {
    const port = /^seaweedfs-[a-z0-9-]+-(\d+)\.sock$/.exec(name)?.[1];
    if (port !== undefined && ports.has(port)) rmSync(join('/tmp', name), { force: true });
  }
}
