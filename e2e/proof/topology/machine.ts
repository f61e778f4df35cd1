import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, closeSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildDebianRoot } from '../../../tools/debianRoot.ts';
import { postgresUser } from '../../../tools/engines/postgres-binaries.ts';
import { lastLines, signal } from '../../../tools/engines/process.ts';
import { cacheFolder, instanceFolder, writePrivately } from '../../../tools/engines/state.ts';

export const INSTANCE = 'region';

/** All files of the region: disks, configurations and logs. */
export const FOLDER = instanceFolder(INSTANCE);

/** PostgreSQL refuses to run as root. Undefined if we are not root. */
const user = postgresUser();

/** Writes a configuration that the programs of the region can read. Returns its path. */
export function writeConfig(name: string, text: string): string {
  const file = join(FOLDER, name);
  writePrivately(file, text);
  give(file);
  return file;
}

export function give(path: string): void {
  if (user !== undefined) chownSync(path, user.uid, user.gid);
}

/** A Debian root directory with these packages is built once. */
const PACKAGES = ['postgresql-18', 'patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'pgbackrest'];

/** A new number builds a new root, for example after a change of the packages. */
const ROOT = join(cacheFolder(), 'region-1');

/** Its path. Throws if it cannot be built. */
export function regionRoot(): string {
  buildDebianRoot(ROOT, PACKAGES, 'PostgreSQL, Patroni, etcd, HAProxy and pgBackRest');
  return ROOT;
}

type Options = {
  name: string;
  /** The root directory of its programs; / for those of this computer. */
  root: string;
  command: string[];
};

/**
 * Programs that share their fate, like those of one computer. They have their own process ids, so that none survives
 * the first, not even if this process is killed.
 */
export class Machine {
  readonly name: string;
  readonly #options: Options;
  readonly #log: string;
  #child: ChildProcess | undefined;

  constructor(options: Options) {
    this.name = options.name;
    this.#options = options;
    this.#log = join(FOLDER, `${options.name}.log`);
    rmSync(this.#log, { force: true });
  }

  isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  start(): void {
    const { root, command } = this.#options;
    const log = openSync(this.#log, 'a', 0o600);
    try {
      this.#child = spawn('bwrap', [...sandbox(root), ...asUser(root), ...command], {
        stdio: ['ignore', log, log],
        env: { PATH: '/usr/sbin:/usr/bin:/bin', LANG: 'C.UTF-8' },
      });
    } finally {
      closeSync(log);
    }
  }

  /** Runs its command to the end. Throws if it fails. */
  async run(): Promise<void> {
    this.start();
    const code = await new Promise<number | null>((done) => this.#child?.once('exit', done));
    if (code !== 0) throw new Error(`${this.name} ended with ${code}: ${lastLines(this.#log)}`);
  }

  /** Ends all its programs, like a power cut. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !this.isRunning()) return;
    const gone = new Promise((done) => child.once('exit', done));
    // The sandbox ends with its first process.
    for (const pid of this.#first()) signal(pid, 'SIGKILL');
    child.kill('SIGKILL');
    await gone;
  }

  /** Stops all its programs. */
  pause(): void {
    const stopped = new Set<number>();
    // Repeats until there are no new ones.
    for (;;) {
      const fresh = this.processes().filter(({ pid }) => !stopped.has(pid));
      if (fresh.length === 0) return;
      for (const { pid } of fresh) {
        signal(pid, 'SIGSTOP');
        stopped.add(pid);
      }
    }
  }

  resume(): void {
    for (const { pid } of this.processes()) signal(pid, 'SIGCONT');
  }

  /** Its programs, with their command lines. */
  processes(): { pid: number; command: string }[] {
    const [first] = this.#first();
    const own = first === undefined ? undefined : processSpace(first);
    if (own === undefined) return [];
    return allPids()
      .filter((pid) => processSpace(pid) === own)
      .map((pid) => ({ pid, command: readProc(pid, 'cmdline').replaceAll('\0', ' ').trim() }));
  }

  /** The first process in the sandbox. */
  #first(): number[] {
    const parent = this.isRunning() ? this.#child?.pid : undefined;
    if (parent === undefined) return [];
    return readProc(parent, `task/${parent}/children`).trim().split(' ').filter(Boolean).map(Number);
  }
}

/** It sees the programs, our folder and the network of this computer. */
function sandbox(root: string): string[] {
  const programs =
    root === '/'
      ? ['--bind', '/', '/']
      : [
          ...['usr', 'etc'].flatMap((name) => ['--ro-bind', join(root, name), `/${name}`]),
          // PostgreSQL must find the name of its user.
          ...['--ro-bind', '/etc/passwd', '/etc/passwd'],
          ...['bin', 'sbin', 'lib', 'lib64'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
          ...['--perms', '1777', '--tmpfs', '/tmp'],
          // Otherwise only root could enter them.
          ...ancestors(FOLDER).flatMap((folder) => ['--perms', '0755', '--dir', folder]),
        ];
  return [
    ...programs,
    ...['--dev', '/dev', '--proc', '/proc', '--bind', FOLDER, FOLDER],
    ...['--unshare-pid', '--unshare-ipc', '--die-with-parent'],
  ];
}

function ancestors(folder: string): string[] {
  const above = dirname(folder);
  return above === '/' ? [] : [...ancestors(above), above];
}

function asUser(root: string): string[] {
  if (user === undefined || root === '/') return [];
  return ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
}

function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function processSpace(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
