import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** How the image process is separated from the worker. */
export type Isolation = {
  name: 'bubblewrap' | 'unshare' | 'none';
  /** The command that starts the process, before the process and its arguments. */
  command: readonly string[];
  /** The process id of the parent, as the process sees it. */
  parent: number;
};

export const NO_ISOLATION: Isolation = { name: 'none', command: [], parent: process.pid };

const INSTALLATION = resolve(import.meta.dirname, '../../..');
/** Programs are found without PATH: an attacker who can set it has won already. */
const FOLDERS = ['/usr/bin', '/usr/local/bin', '/bin', '/run/current-system/sw/bin'];
const DETECT_MS = 20_000;

/** A separate user and network, but all files that this user may read. */
const UNSHARE = ['--user', '--map-current-user', '--net', '--ipc', '--uts', '--'];

/**
 * Its own user, network, processes and file system. It sees the system's libraries and this installation, read-only:
 * no setting, secret, image, home or temporary folder.
 */
function bubblewrapArguments(): string[] {
  const own = ['node_modules', 'server', 'protocol'].map((name) => join(INSTALLATION, name));
  const readable = [
    '/usr',
    '/lib',
    '/lib64',
    '/bin',
    '/etc/ld.so.cache',
    ...own,
    realpathSync(process.execPath),
  ];
  return [
    ...['--unshare-all', '--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--new-session', '--hostname', 'images'],
    ...['--proc', '/proc', '--dev', '/dev'],
    ...readable.flatMap((path) => ['--ro-bind-try', path, path]),
    ...['--remount-ro', '/', '--chdir', '/', '--'],
  ];
}

/** Loads the image library, because a process without it would refuse every image. */
const TRIAL = 'require("node:module").createRequire(process.argv[1])("sharp")';

let detected: Promise<Isolation> | undefined;

/** The strongest isolation that works here. Tried once per process. */
export function detectIsolation(): Promise<Isolation> {
  detected ??= detect();
  return detected;
}

async function detect(): Promise<Isolation> {
  const [bubblewrap, unshare] = [findProgram('bwrap'), findProgram('unshare')];
  const candidates: Isolation[] = [
    // Inside, its parent is the first process of a new process namespace.
    ...(bubblewrap === undefined
      ? []
      : [{ name: 'bubblewrap' as const, command: [bubblewrap, ...bubblewrapArguments()], parent: 1 }]),
    ...(unshare === undefined
      ? []
      : [{ name: 'unshare' as const, command: [unshare, ...UNSHARE], parent: process.pid }]),
  ];
  for (const candidate of candidates) if (await works(candidate)) return candidate;
  return NO_ISOLATION;
}

function findProgram(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function works({ command }: Isolation): Promise<boolean> {
  const [program = '', ...args] = command;
  const trial = [realpathSync(process.execPath), '-e', TRIAL, join(import.meta.dirname, 'child.ts')];
  return new Promise((done) => {
    try {
      execFile(
        program,
        [...args, ...trial],
        { env: {}, timeout: DETECT_MS, killSignal: 'SIGKILL' },
        (error) => done(error === null),
      );
    } catch {
      done(false);
    }
  });
}
