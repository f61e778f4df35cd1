// The files of an instance, and what it stores about its engines between runs.
import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts, portIsFree, reservePort } from '../freePorts.ts';
import { identify, isAlive, type ProcessIdentity, waitUntil } from './process.ts';

export type EngineName = 'postgres' | 'nats' | 's3';

// Ports and credentials of an instance do not change, so that clients find a restarted engine.
export type EngineRecord = {
  port: number;
  user: string;
  password: string;
  extraPorts?: number[];
  // The folder of PostgreSQL: see postgresFolder.
  folder?: string;
  process?: ProcessIdentity;
};

const checkout = resolve(import.meta.dirname, '../..');

export function instanceName(given?: string): string {
  const name = given ?? process.env.SETTEE_INSTANCE ?? 'dev';
  // The name becomes a folder, so it must not leave `.settee/`.
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) {
    throw new Error(`"${name}" is not an instance name: use up to 32 of a-z, 0-9 and "-".`);
  }
  return name;
}

export function instanceFolder(instance: string): string {
  return join(checkout, '.settee', instance);
}

/** Every instance that was ever started in this checkout. */
export function knownInstances(): string[] {
  const folder = join(checkout, '.settee');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

// Identifies this checkout in shared folders.
export function checkoutId(): string {
  return createHash('sha256').update(checkout).digest('hex').slice(0, 12);
}

export function cacheFolder(): string {
  return process.env.SETTEE_CACHE ?? join(homedir(), '.cache', 'settee');
}

export function newSecret(): string {
  return randomBytes(18).toString('hex');
}

function recordFile(instance: string, engine: EngineName): string {
  return join(instanceFolder(instance), `${engine}.json`);
}

export function readRecord(instance: string, engine: EngineName): EngineRecord | undefined {
  try {
    return JSON.parse(readFileSync(recordFile(instance, engine), 'utf8')) as EngineRecord;
  } catch {
    // Missing, or incomplete after a crash.
    return undefined;
  }
}

export function writeRecord(instance: string, engine: EngineName, record: EngineRecord): void {
  writePrivately(recordFile(instance, engine), `${JSON.stringify(record, undefined, 2)}\n`);
}

// For files with passwords. The rename is atomic.
export function writePrivately(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

// The record of an engine. It gets a new port if another program uses the old one.
export async function claimRecord(
  instance: string,
  engine: EngineName,
  extraPorts = 0,
): Promise<EngineRecord> {
  const known = readRecord(instance, engine);
  if (known !== undefined) {
    const ports = [known.port, ...(known.extraPorts ?? [])];
    // If the engine is stopped for a moment, no other process chooses its ports.
    for (const port of ports) await reservePort(port);
    const allFree = async () => (await Promise.all(ports.map(portIsFree))).every(Boolean);
    // A killed program may hold its ports a little longer.
    if (ports.length === extraPorts + 1 && (await waitUntil(allFree, 10))) return known;
  }
  const [port = 0, ...extra] = await freePorts(extraPorts + 1);
  const record: EngineRecord = {
    // The user of S3 is its access key.
    user: known?.user ?? (engine === 's3' ? newSecret().slice(0, 20) : 'settee'),
    password: known?.password ?? newSecret(),
    port,
    ...(extra.length > 0 ? { extraPorts: extra } : {}),
  };
  writeRecord(instance, engine, record);
  return record;
}

// Waits until an engine answers or its process ends.
export async function comesUp(
  record: EngineRecord,
  answers: (record: EngineRecord) => Promise<boolean>,
  seconds: number,
): Promise<boolean> {
  let answered = false;
  await waitUntil(async () => {
    if (!isAlive(record.process)) return true;
    answered = await answers(record);
    return answered;
  }, seconds);
  return answered && isAlive(record.process);
}

// `npm run dev` and a test run may start or stop an instance at the same time.
export async function withLock<T>(instance: string, work: () => Promise<T>): Promise<T> {
  const file = join(instanceFolder(instance), 'lock');
  mkdirSync(dirname(file), { recursive: true });
  // The link is atomic, so nobody reads an incomplete lock.
  const draft = `${file}.${newSecret()}`;
  writeFileSync(draft, JSON.stringify(identify(process.pid)), { mode: 0o600 });
  try {
    while (!takeLock(draft, file)) {
      if (!lockHolderLives(file)) rmSync(file, { force: true });
      else await sleep(100);
    }
  } finally {
    rmSync(draft, { force: true });
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function takeLock(draft: string, file: string): boolean {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function lockHolderLives(file: string): boolean {
  try {
    return isAlive(JSON.parse(readFileSync(file, 'utf8')) as ProcessIdentity);
  } catch (error) {
    // ENOENT: released a moment ago. Any other error: not a valid lock.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
