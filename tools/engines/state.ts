// Where an instance keeps its files, and what it remembers about its engines between runs.
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
import { freePorts, portIsFree } from '../freePorts.ts';
import { identify, isAlive, type ProcessIdentity, waitUntil } from './process.ts';

export type EngineName = 'postgres' | 'nats' | 's3';

// Ports and credentials stay the same for the life of an instance, so that a restarted engine
// is found again by clients that hold its old URL.
export type EngineRecord = {
  port: number;
  user: string;
  password: string;
  extraPorts?: number[];
  // Where PostgreSQL's files ended up: see postgresFolder.
  folder?: string;
  process?: ProcessIdentity;
};

const checkout = resolve(import.meta.dirname, '../..');

export function instanceName(given?: string): string {
  const name = given ?? process.env.SETTEE_INSTANCE ?? 'dev';
  // The name becomes a folder and part of a lock path: nothing that could leave `.settee/`.
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(name)) {
    throw new Error(`"${name}" is no instance name: use up to 32 of a-z, 0-9 and "-".`);
  }
  return name;
}

export function instanceFolder(instance: string): string {
  return join(checkout, '.settee', instance);
}

/** Every set that was ever started in this checkout. */
export function knownInstances(): string[] {
  const folder = join(checkout, '.settee');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();
}

// Tells two checkouts apart in folders that they share.
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
    // Absent, or cut short by a crash: either way there is nothing to reuse.
    return undefined;
  }
}

export function writeRecord(instance: string, engine: EngineName, record: EngineRecord): void {
  writePrivately(recordFile(instance, engine), `${JSON.stringify(record, undefined, 2)}\n`);
}

// Passwords are in these files. The rename makes a crash leave the old file or the new one, never half.
export function writePrivately(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, file);
}

// The record of an engine, made at its first start. Where another program took its port meanwhile, it
// moves to a new one.
export async function claimRecord(
  instance: string,
  engine: EngineName,
  extraPorts = 0,
): Promise<EngineRecord> {
  const known = readRecord(instance, engine);
  if (known !== undefined) {
    const ports = [known.port, ...(known.extraPorts ?? [])];
    const allFree = async () => (await Promise.all(ports.map(portIsFree))).every(Boolean);
    // A program that was killed a moment ago may hold its ports a little longer than its life.
    if (ports.length === extraPorts + 1 && (await waitUntil(allFree, 3))) return known;
  }
  const [port = 0, ...extra] = await freePorts(extraPorts + 1);
  const record: EngineRecord = {
    // The user of S3 is its access key, and that is generated too.
    user: known?.user ?? (engine === 's3' ? newSecret().slice(0, 20) : 'settee'),
    password: known?.password ?? newSecret(),
    port,
    ...(extra.length > 0 ? { extraPorts: extra } : {}),
  };
  writeRecord(instance, engine, record);
  return record;
}

// Waits for an engine to answer, as long as its process lives.
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

// One starter or stopper per instance at a time: `npm run dev` and a test run may race for it.
export async function withLock<T>(instance: string, work: () => Promise<T>): Promise<T> {
  const file = join(instanceFolder(instance), 'lock');
  mkdirSync(dirname(file), { recursive: true });
  // Written first and linked into place after, so that nobody ever reads half a lock.
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
    // Just released: the next try takes it. Anything else unreadable is no lock of ours.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
